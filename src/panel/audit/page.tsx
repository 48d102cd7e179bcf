import { subjects } from "../../audit/entry.ts";
import type { AuditRow } from "../../audit/schemas.ts";
import type { Page } from "../../http/pagination.ts";
import type { FormState } from "../forms/state.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterBar } from "../kit/filter-bar.tsx";
import { FormErrors } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pagination } from "../kit/pagination.tsx";
import { Table } from "../kit/table.tsx";
import { When } from "../kit/when.tsx";

const nouns = Object.fromEntries(subjects.map((subject) => [subject, subject.replaceAll("_", " ")]));

/** Where a row that was written has its page. */
const places: Record<string, string> = {
  api_key: "api-keys",
  category: "categories",
  file: "files",
  order: "orders",
  package: "packages",
  product: "products",
  user: "customers",
};

type Props = { rows: AuditRow[]; place: Page; form: FormState; url: string };

export const AuditPage = ({ rows, place, form, url }: Props) => (
  <>
    <PageHeader title="Audit log" />
    <p class="muted">What administrators and API keys wrote. Nobody can change it.</p>
    <FormErrors message={form.message} errors={form.errors} />
    <FilterBar
      form={form}
      filters={[
        { name: "subject", label: "What", options: nouns },
        { name: "subject_id", label: "Its id" },
        { name: "actor", label: "Who (user:7, api_key:3)" },
      ]}
    />
    {rows.length === 0 ? (
      <EmptyState title="Nothing here">No write matches these filters.</EmptyState>
    ) : (
      <Table
        label="Audit log"
        rows={rows}
        columns={[
          { title: "When", cell: ({ at }) => <When at={at} /> },
          { title: "Who", cell: (row) => <Actor {...row} /> },
          { title: "What", cell: (row) => <Write {...row} /> },
          { title: "Changed", cell: (row) => <Difference {...row} /> },
        ]}
      />
    )}
    <Pagination page={place} url={url} />
  </>
);

const Actor = ({ actor, actorName }: AuditRow) => (
  <>
    {actorName ?? actor} <code class="muted">{actor}</code>
  </>
);

const Write = ({ action, subject, subjectId }: AuditRow) => (
  <>
    {inWords(action)} <a href={`/admin/${places[subject]}/${subjectId}`}>{subjectId}</a>
  </>
);

/** `product.adjust_stock` as people say it. */
const inWords = (action: string): string => action.replace(".", ": ").replaceAll("_", " ");

/** Each field that the write touched, as it was and as it is. */
const Difference = ({ before, after }: AuditRow) => {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (fields.length === 0) return <span class="muted">–</span>;
  return (
    <details class="difference">
      <summary>{summary(fields)}</summary>
      <dl>
        {fields.map((field) => (
          <div>
            <dt>{field}</dt>
            <dd>
              {before && <del>{shown(before[field])}</del>} {after && <ins>{shown(after[field])}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const summary = (fields: string[]): string =>
  fields.length > 3 ? `${fields.slice(0, 3).join(", ")} and ${fields.length - 3} more` : fields.join(", ");

const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "–"));
