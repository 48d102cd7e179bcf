import { Hono } from "hono";
import { searchKinds } from "../../back-office/search/search.ts";
import { listAuditLog } from "../../platform/audit/audit.ts";
import { AuditQuery, type AuditRow, subjects } from "../../platform/audit/schemas.ts";
import { administrators } from "../../platform/auth/gates.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { Clock, dayGroup } from "../kit/dates.tsx";
import { choiceFilter, dateFilters, ExportMenu, ownLabels } from "../kit/filters.tsx";
import { Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { type Names, readNames } from "../references.ts";
import { ChangedFields, referencesOf } from "./difference.tsx";

const filters = {
  subject: choiceFilter("What", ownLabels(subjects)),
  subject_id: { as: "picker", label: "Name or number", kinds: searchKinds, kindField: "subject" },
  actor: { as: "picker", label: "Who", kinds: ["user", "api_key"], references: true },
  ...dateFilters("When"),
} satisfies FormInputs;

export const audit = new Hono<PanelEnv>().get("/audit-log", administrators, resolvingPickers(filters), async (c) => {
  const { query, form: typed } = readFilters(c, AuditQuery, filters);
  const found = await listAuditLog(c.var.db, query);
  const [names, form] = await Promise.all([readNames(c.var.db, found.rows.flatMap(referencesOf)), withPicks(c, typed)]);
  return listPage(c, {
    noun: "audit log",
    actions: <ExportMenu form={form} needs="administrators" lists={[{ list: "audit-log", label: "Audit log" }]} />,
    above: (
      <p class="muted">
        Changes made by staff and API keys, which cannot be edited. Actions of customers are not listed here: see the
        history on each order's page.
      </p>
    ),
    found,
    form,
    columns: [
      { title: "When", cell: ({ at }) => <Clock at={at} /> },
      { title: "Who", cell: ({ actor }) => <Reference to={actor} names={names} /> },
      { title: "From", wide: true, cell: ({ address }) => address && <span class="muted nowrap">{address}</span> },
      { title: "What", phone: "first", cell: (row) => <Write {...row} names={names} /> },
      {
        title: "Changed",
        cell: (row) => ((row.before ?? row.after) ? <ChangedFields {...row} names={names} /> : null),
      },
    ],
    groups: ({ at }) => dayGroup(at),
    none: { title: "No changes yet", narrowed: "No matching entries" },
    purpose: "Every change of products, orders and settings appears here.",
  });
});

type Row = AuditRow & { names: Names };

const Write = ({ action, subject, subjectId, before, names }: Row) => (
  <>
    {actionWords(action, subject)} <Reference to={`${subject}:${subjectId}`} names={names} otherwise={nameIn(before)} />
  </>
);

const nameIn = (state: AuditRow["before"]): string | undefined =>
  typeof state?.name === "string" ? state.name : undefined;

/** Verbs of the audit log's sentences, which continue with a noun and a name. */
const verbs: Record<string, string> = {
  add_note: "Added a note to",
  add_variants: "Added variants to",
  add_version: "Added a version to",
  adjust_stock: "Adjusted the stock of",
  cancel: "Cancelled",
  change_variants: "Changed variants of",
  code_refused: "Refused a code of",
  complete: "Completed",
  create: "Created",
  credit: "Credited",
  delete: "Deleted",
  edit: "Edited",
  end_sessions: "Ended the sessions of",
  erase: "Requested to erase",
  erased: "Erased",
  expire: "Expired",
  export: "Exported data of",
  mark_paid: "Marked as paid:",
  password_refused: "Refused a password of",
  pause: "Paused",
  refund: "Refunded",
  refund_failed: "Failed to refund",
  remove_two_factor: "Removed two-factor authentication from",
  replay: "Sent events again to",
  reset_password: "Reset the password of",
  restore: "Restored",
  retry: "Sent an event again to",
  revoke: "Revoked",
  rotate: "Rotated",
  send_email_again: "Sent an e-mail again to",
  set_up: "Set up",
  ship: "Shipped",
  sign_in: "Signed in to",
  sign_in_failed: "Failed to sign in to",
  switch_off: "Switched off",
  switch_on: "Switched on",
  test: "Sent a test event to",
  update: "Changed",
};

const nouns: Record<string, string> = {
  api_key: "API key",
  email_switch: "e-mail",
  email_text: "text of an e-mail",
  user: "account",
};

/** "Adjusted the stock of product" for `product.adjust_stock`. */
function actionWords(action: string, subject: string): string {
  const verb = action.slice(action.indexOf(".") + 1);
  const words = verb.replaceAll("_", " ");
  const shown = verbs[verb] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}:`;
  return `${shown} ${nouns[subject] ?? subject.replaceAll("_", " ")}`;
}
