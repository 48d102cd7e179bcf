import { subjects } from "../../audit/entry.ts";
import type { AuditRow } from "../../audit/schemas.ts";
import { Listing, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";

const nouns = subjects.map((subject) => [subject, subject.replaceAll("_", " ")] as const);

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

type Props = ListProps<AuditRow>;

export const AuditPage = ({ ...list }: Props) => (
  <>
    <PageHeader title="Audit log" />
    <p class="muted">What administrators and API keys wrote. Nobody can change it.</p>
    <Listing
      {...list}
      label="Audit log"
      filters={[
        { name: "subject", label: "What", options: nouns },
        { name: "subject_id", label: "Its id" },
        { name: "actor", label: "Who (user:7, api_key:3)" },
      ]}
      columns={[
        { title: "When", cell: ({ at }) => <When at={at} /> },
        { title: "Who", cell: (row) => <Actor {...row} /> },
        { title: "What", cell: (row) => <Write {...row} /> },
        { title: "Changed", cell: (row) => <Difference {...row} /> },
      ]}
      none={{ title: "Nothing was written yet", narrowed: "No write matches" }}
    >
      No write matches these filters.
    </Listing>
  </>
);

const Actor = ({ actor, actorName, address }: AuditRow) => (
  <>
    {actorName ?? actor} <code class="muted">{address === null ? actor : `${actor} at ${address}`}</code>
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
