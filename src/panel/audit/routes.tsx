import { Hono } from "hono";
import { searchKinds } from "../../back-office/search/schemas.ts";
import { listAuditLog } from "../../platform/audit/audit.ts";
import { subjects } from "../../platform/audit/entry.ts";
import { AuditQuery, type AuditRow } from "../../platform/audit/schemas.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import type { PanelEnv } from "../env.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu, ownLabels } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Reference } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { type Names, readNames } from "../references.ts";

const filters = {
  subject: choiceFilter("What", ownLabels(subjects)),
  subject_id: { as: "picker", label: "Which", kinds: searchKinds, kindField: "subject" },
  actor: { as: "picker", label: "Who", kinds: ["user", "api_key"], references: true },
  ...dateFilters("When"),
} satisfies FormInputs;

export const audit = new Hono<PanelEnv>().get("/audit-log", administrators, resolvingPickers(filters), async (c) => {
  const { query, form: typed } = readFilters(c, AuditQuery, filters);
  const { rows, totalItems, totalIsExact } = await listAuditLog(c.var.db, query);
  const place = pageOf(query, totalItems, totalIsExact);
  const [names, form] = await Promise.all([readNames(c.var.db, rows.flatMap(referencesOf)), withPicks(c, typed)]);
  return page(c, "Audit log", <AuditPage rows={rows} place={place} form={form} url={c.req.url} names={names} />);
});

type AuditPageProps = ListProps<AuditRow> & { names: Names };

const AuditPage = ({ names, ...list }: AuditPageProps) => (
  <>
    <PageHeader title="Audit log">
      <ExportMenu form={list.form} needs="administrators" lists={[{ list: "audit-log", label: "Audit log" }]} />
    </PageHeader>
    <p class="muted">Changes made by staff and API keys. Entries cannot be edited.</p>
    <ListPage
      {...list}
      label="Audit log"
      columns={[
        { title: "When", cell: ({ at }) => <When at={at} brief /> },
        { title: "Who", cell: (row) => <Actor {...row} names={names} /> },
        { title: "What", cell: (row) => <Write {...row} names={names} /> },
        { title: "Changed", cell: (row) => <Difference {...row} names={names} /> },
      ]}
      none={{ title: "No changes yet", narrowed: "No matching entries" }}
    >
      Actions of customers are not listed here. See the history on each order's page.
    </ListPage>
  </>
);

type Row = AuditRow & { names: Names };

/** The code is what the list is narrowed by. */
const Actor = ({ actor, address, names }: Row) => (
  <>
    <Reference to={actor} names={names} />{" "}
    {names.has(actor) && <code class="muted">{address === null ? actor : `${actor} at ${address}`}</code>}
  </>
);

const Write = ({ action, subject, subjectId, before, names }: Row) => (
  <>
    {actionLabel(action)} <Reference to={`${subject}:${subjectId}`} names={names} otherwise={nameIn(before)} />
  </>
);

const nameIn = (state: AuditRow["before"]): string | undefined =>
  typeof state?.name === "string" ? state.name : undefined;

/** Formats `product.adjust_stock` for people. */
const actionLabel = (action: string): string => action.replace(".", ": ").replaceAll("_", " ");

/** Each changed field, before and after. */
const Difference = ({ before, after, names }: Row) => {
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
              {before && (
                <del>
                  <Value field={field} value={before[field]} names={names} />
                </del>
              )}{" "}
              {after && (
                <ins>
                  <Value field={field} value={after[field]} names={names} />
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const summary = (fields: string[]): string =>
  fields.length > 3 ? `${fields.slice(0, 3).join(", ")} and ${fields.length - 3} more` : fields.join(", ");

const Value = ({ field, value, names }: { field: string; value: unknown; names: Names }) => {
  const references = referencesIn({ [field]: value });
  if (references.length === 0) return <>{shown(value)}</>;
  return references.map((to, index) => (
    <>
      {index > 0 && ", "}
      <Reference to={to} names={names} />
    </>
  ));
};

const shown = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "–"));

/** Kinds of the ids in a state, by field. */
const referencedKinds: Record<string, string> = {
  category_id: "category",
  category_ids: "category",
  file_ids: "file",
  order_id: "order",
  product_ids: "product",
  user_id: "user",
};

/** Returns `category:3` for a state with `"category_id": 3`. */
const referencesIn = (state: AuditRow["before"]): string[] =>
  Object.entries(state ?? {}).flatMap(([field, value]) =>
    [value]
      .flat()
      .flatMap((id) => (field in referencedKinds && typeof id === "number" ? [`${referencedKinds[field]}:${id}`] : [])),
  );

/** Returns all references of a log entry. */
const referencesOf = ({ actor, subject, subjectId, before, after }: AuditRow): string[] => [
  actor,
  `${subject}:${subjectId}`,
  ...referencesIn(before),
  ...referencesIn(after),
];
