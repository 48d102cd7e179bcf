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
import { Clock, dayGroup } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu, ownLabels } from "../kit/filters.tsx";
import { ListPage, type ListProps } from "../kit/listing.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { Reference } from "../kit/values.tsx";
import { page } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { type Names, readNames } from "../references.ts";
import { ChangedFields, referencesOf } from "./difference.tsx";
import { actionWords } from "./words.ts";

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
        { title: "When", cell: ({ at }) => <Clock at={at} /> },
        { title: "Who", cell: ({ actor }) => <Reference to={actor} names={names} /> },
        { title: "From", wide: true, cell: ({ address }) => address && <span class="muted nowrap">{address}</span> },
        { title: "What", phone: "first", cell: (row) => <Write {...row} names={names} /> },
        {
          title: "Changed",
          cell: (row) => ((row.before ?? row.after) ? <ChangedFields {...row} names={names} /> : null),
        },
      ]}
      groups={({ at }) => dayGroup(at)}
      none={{ title: "No changes yet", narrowed: "No matching entries" }}
    >
      Actions of customers are not listed here. See the history on each order's page.
    </ListPage>
  </>
);

type Row = AuditRow & { names: Names };

const Write = ({ action, subject, subjectId, before, names }: Row) => (
  <>
    {actionWords(action, subject)} <Reference to={`${subject}:${subjectId}`} names={names} otherwise={nameIn(before)} />
  </>
);

const nameIn = (state: AuditRow["before"]): string | undefined =>
  typeof state?.name === "string" ? state.name : undefined;
