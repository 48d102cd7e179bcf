import { type ImportRow, rowsOf, stateOf } from "../../back-office/imports/schemas.ts";
import type { ImportResource, LeftOutColumn } from "../../platform/db/schema.ts";
import { isOpen, type JobWithUndo } from "../../platform/jobs/schemas.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Failures } from "../jobs/failures.tsx";
import { LiveProgress } from "../jobs/progress.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/buttons.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import type { ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";
import { isDoubtful, Reading } from "./reading.tsx";

export const listOf = (resource: ImportResource): string => `/admin/imports/${resource}`;

const sections = {
  products: { path: "/admin/products", name: "Products" },
  customers: { path: "/admin/customers", name: "Customers" },
} as const satisfies Record<ImportResource, { path: string; name: string }>;

const hints: Record<ImportResource, string> = {
  products: "A product export from WooCommerce or Shopify (CSV), or CSV or NDJSON with the API's fields.",
  customers: "CSV or NDJSON with the API's fields. Customers are matched by e-mail address and get no password.",
};

type ImportsProps = Omit<ListProps<ImportRow>, "form"> & { resource: ImportResource; failed: Failed | null };

export const ImportsPage = ({ resource, rows, place, url, failed }: ImportsProps) => {
  const form = formFor(failed, listOf(resource));
  return (
    <>
      <PageHeader title={`Import ${resource}`} back={sections[resource]} />
      <div class="card">
        <Form form={form} plain multipart>
          <Field type="file" form={form} name="file" label="File" hint={`${hints[resource]} Up to 100 MB.`} required />
          <Button>Check file</Button>
        </Form>
        <p class="muted">Nothing changes until you have reviewed the result.</p>
      </div>
      {rows.length > 0 && (
        <section>
          <h2>Imports</h2>
          <Table
            label="Imports"
            rows={rows}
            columns={[
              { title: "File", cell: (row) => <a href={`${listOf(resource)}/${row.id}`}>{row.fileName}</a> },
              { title: "State", cell: (row) => <Badge status={stateOf(row)} /> },
              { title: "Rows", numeric: true, cell: ({ total }) => total?.toLocaleString("en") ?? null },
              { title: "Uploaded", cell: ({ createdAt }) => <When at={createdAt} /> },
            ]}
          />
          <Pagination page={place} url={url} />
        </section>
      )}
    </>
  );
};

type ImportProps = {
  row: ImportRow;
  /** The job that is at work, or was last. */
  job: JobWithUndo;
  failures: Pick<Parameters<typeof Failures>[0], "rows" | "place">;
  url: string;
  failed: Failed | null;
};

export const ImportPage = ({ row, job, failures, url, failed }: ImportProps) => {
  const { resource, toCreate, toUpdate, unchanged, skipped, checkFailed } = row;
  const path = `${listOf(resource)}/${row.id}`;
  const writes = toCreate + toUpdate;
  const start = formFor(failed, `${path}/start`);
  const again = { encoding: row.chosenEncoding, decimal_separator: row.decimalSeparator };
  const reading = <Reading row={row} form={formFor(failed, `${path}/check`, again)} />;
  return (
    <>
      <PageHeader title={row.fileName} back={{ path: listOf(resource), name: `Import ${resource}` }} />
      {isDoubtful(row) && reading}
      <section class="card">
        <h2>{row.jobId === null ? "What will change" : "What changed"}</h2>
        <LiveProgress job={job} />
        <DescriptionList
          facts={{
            "Rows in the file": rowsOf(row)?.toLocaleString("en"),
            New: toCreate.toLocaleString("en"),
            Updated: toUpdate.toLocaleString("en"),
            Unchanged: unchanged.toLocaleString("en"),
            Skipped: skipped > 0 ? skipped.toLocaleString("en") : undefined,
            Refused: checkFailed.toLocaleString("en"),
          }}
        />
        {skipped > 0 && (
          <p class="muted">Skipped rows belong to other rows, such as parents of variations and additional pictures.</p>
        )}
        <LeftOut columns={row.leftOut} />
        {stateOf(row) === "ready" && writes > 0 && (
          <Form form={start}>
            <Button>
              Import {writes.toLocaleString("en")} {writes === 1 ? resource.replace(/s$/, "") : resource}
            </Button>
          </Form>
        )}
        {row.jobId !== null && !isOpen(job) && (
          <p>
            <a href={`/admin/jobs/${row.jobId}`}>The import job</a> can be undone.
          </p>
        )}
      </section>
      {!isDoubtful(row) && reading}
      <Samples row={row} />
      <Failures {...failures} job={job} url={url} counted={job.failed + job.warnings} />
    </>
  );
};

const LeftOut = ({ columns }: { columns: LeftOutColumn[] }) =>
  columns.length === 0 ? null : (
    <p class="muted">
      Columns without a matching field are not imported (number of rows with a value):{" "}
      {columns.map(({ column, rows }) => `${column} (${rows.toLocaleString("en")})`).join(", ")}.
    </p>
  );

const Samples = ({ row: { samples } }: { row: ImportRow }) =>
  samples.length === 0 ? null : (
    <section>
      <h2>First changes</h2>
      <Table
        label="First changes"
        rows={samples}
        columns={[
          { title: "Row", cell: ({ line }) => `line\u00a0${line}` },
          { title: "Name", cell: ({ name }) => name },
          { title: "What", cell: ({ action }) => <Badge status={action === "create" ? "new" : "updated"} /> },
          { title: "Changes", cell: ({ changes }) => Object.keys(changes).join(", ") || null },
        ]}
      />
    </section>
  );
