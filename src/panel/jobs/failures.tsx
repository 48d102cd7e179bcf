import type { jobFailures } from "../../platform/db/schema.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { type JobRow, resourceOf } from "../../platform/jobs/schemas.ts";
import { Badge } from "../kit/badge.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import type { Names } from "../references/queries.ts";
import { Reference } from "../references/reference.tsx";

export type FailureRow = typeof jobFailures.$inferSelect;

const nouns = { products: "product", orders: "order", users: "user" } as const;

/** What a failure is about, as `order:7`, where it is something that the shop has. */
export const subjectOf = ({ kind }: Pick<JobRow, "kind">, { subjectId }: FailureRow): string | null =>
  subjectId === null ? null : `${nouns[resourceOf[kind]]}:${subjectId}`;

type Props = { job: JobRow; rows: FailureRow[]; place: Page; url: string; counted: number; names?: Names };

type RowProps = { job: JobRow; row: FailureRow; names: Names };

const FailedRow = ({ job, row, names }: RowProps) => {
  if (row.line !== null) return <>line&nbsp;{row.line}</>;
  const subject = subjectOf(job, row);
  return subject === null ? <>the file</> : <Reference to={subject} names={names} />;
};

/** What a row of a file of products calls itself. */
const PRODUCT_COLUMNS = [
  { title: "SKU", cell: ({ sku }: FailureRow) => sku },
  { title: "Name", cell: ({ name }: FailureRow) => name },
];

/** What a job could not do, row by row. */
export const Failures = ({ job, rows, place, url, counted, names = new Map() }: Props) =>
  rows.length === 0 ? null : (
    <section>
      <h2>Problem</h2>
      {counted > place.totalItems && <p class="muted">The first {place.totalItems.toLocaleString("en")} are shown.</p>}
      <Table
        label="Failures"
        rows={rows}
        columns={[
          { title: "Row", cell: (row) => <FailedRow job={job} row={row} names={names} /> },
          ...(rows.some(({ sku }) => sku !== null) ? PRODUCT_COLUMNS : []),
          { title: "Field", cell: ({ field }) => field },
          { title: "Reason", cell: ({ message }) => message },
          { title: "Kind", cell: ({ isWarning }) => (isWarning ? <Badge status="warning" tone="busy" /> : null) },
        ]}
      />
      <Pagination page={place} url={url} />
    </section>
  );
