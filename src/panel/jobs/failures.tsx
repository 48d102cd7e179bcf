import type { Context } from "hono";
import type { Entry } from "../../platform/audit/audit.ts";
import type { jobFailures, QueueName } from "../../platform/db/schema.ts";
import type { Page } from "../../platform/http/pagination.ts";
import type { FailureGroup } from "../../platform/jobs/jobs.ts";
import { type JobRow, resourceOf } from "../../platform/jobs/schemas.ts";
import { type FailedItemRow, FailedItemsQuery, listFailedItems } from "../../platform/queues/failed-items.ts";
import { type FormInputs, fieldLabel } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { choiceFilter } from "../kit/filters.tsx";
import { Pagination } from "../kit/listing.tsx";
import { Card } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { Badge, Reference } from "../kit/values.tsx";
import { listPage } from "../list-page.tsx";
import type { PanelEnv } from "../page.tsx";
import { type Names, readNames } from "../references.ts";

export type FailureRow = typeof jobFailures.$inferSelect;

const nouns = { products: "product", orders: "order", users: "user", settings: "shop" } as const;

/** The reference of a failure, such as `order:7`, if its row exists. */
export const subjectOf = ({ kind }: Pick<JobRow, "kind">, { subjectId }: FailureRow): string | null =>
  subjectId === null ? null : `${nouns[resourceOf[kind]]}:${subjectId}`;

type FailuresProps = {
  job: JobRow;
  rows: FailureRow[];
  place: Page;
  /** Reasons that several lines have. */
  groups?: FailureGroup[];
  url: string;
  counted: number;
  names?: Names;
};

type RowProps = { job: JobRow; row: FailureRow; names: Names };

const FailedRow = ({ job, row, names }: RowProps) => {
  if (row.line !== null) return <span class="nowrap">line {row.line}</span>;
  const subject = subjectOf(job, row);
  return subject === null ? <>the file</> : <Reference to={subject} names={names} />;
};

/** Columns that identify a product in a file. */
const PRODUCT_COLUMNS = [
  { title: "SKU", cell: ({ sku }: FailureRow) => sku },
  { title: "Name", cell: ({ name }: FailureRow) => name },
];

const FIELD_COLUMNS = [
  {
    title: "Field",
    cell: ({ field, line }: FailureRow) => (line === null && field !== null ? fieldLabel(field) : field),
  },
];

const WARNING_COLUMNS = [
  { title: "Kind", cell: ({ isWarning }: FailureRow) => (isWarning ? <Badge status="warning" tone="busy" /> : null) },
];

/** Lines with the same problem, such as "Lines 3, 7, 9 and 112 more". */
function linesOf({ lines, count }: FailureGroup): string {
  const more = count - lines.length;
  const last = more > 0 ? `${more.toLocaleString("en")} more` : lines.at(-1);
  return `Lines ${(more > 0 ? lines : lines.slice(0, -1)).join(", ")} and ${last}`;
}

/** A job's failures: reasons that several lines have, then all by row. */
export const Failures = ({ job, rows, place, groups = [], url, counted, names = new Map() }: FailuresProps) =>
  rows.length === 0 ? null : (
    <Card title="Problems">
      {counted > place.totalItems && <p class="muted">The first {place.totalItems.toLocaleString("en")} are shown.</p>}
      {groups.length > 0 && (
        <ul>
          {groups.map((group) => (
            <li>
              <strong>{linesOf(group)}</strong>: {group.field !== null && `${group.field} `}
              {group.message}
            </li>
          ))}
        </ul>
      )}
      <Table
        label="Failures"
        rows={rows}
        columns={[
          { title: "Row", cell: (row) => <FailedRow job={job} row={row} names={names} /> },
          ...(rows.some(({ sku }) => sku !== null) ? PRODUCT_COLUMNS : []),
          ...(rows.some(({ field }) => field !== null) ? FIELD_COLUMNS : []),
          { title: "Reason", cell: ({ message }) => message },
          ...(rows.some(({ isWarning }) => isWarning) ? WARNING_COLUMNS : []),
        ]}
      />
      <Pagination page={place} url={url} />
    </Card>
  );

const words: Record<QueueName, string> = {
  expire_orders: "Expire an unpaid order",
  send_refunds: "Send a refund to the payment provider",
  confirm_test_payments: "Confirm a test payment",
  close_payments: "Close a payment page",
  sync_subscriptions: "Read a subscription from the payment provider",
  erase_accounts: "Erase an account",
  write_emails: "Create the e-mails for an event",
  send_emails: "Send an e-mail",
  delete_emails: "Delete an old e-mail",
  add_up_sales: "Update sales figures",
  restart_jobs: "Restart a job",
  end_jobs: "Stop a stalled job",
  publish_expiring_keys: "Send a notice about an expiring API key",
  publish_unused_keys: "Send a notice about an unused API key",
  seal_second_factors: "Re-encrypt a second factor with the newest secret",
  seal_webhook_secrets: "Re-encrypt a webhook's secrets with the newest secret",
  seal_payment_accounts: "Re-encrypt a payment account's keys with the newest secret",
  delete_objects: "Delete unused stored content",
  delete_uploads: "Delete an expired upload",
  delete_events: "Delete an old event",
  end_sessions: "End an expired session",
  delete_refresh_tokens: "Delete an expired refresh token",
  delete_sessions: "Delete an ended session",
  delete_links: "Delete an expired link",
  delete_login_challenges: "Delete an expired sign-in challenge",
  delete_guest_carts: "Delete an expired guest cart",
  delete_guest_drafts: "Delete an old draft for a guest",
  delete_checkout_sessions: "Delete an expired checkout of an agent",
  delete_idempotency_keys: "Delete an old idempotency key",
  clear_audit_addresses: "Remove an IP address from the audit log",
  delete_job_changes: "Delete an old job's undo data",
  delete_staff_spending: "Delete old staff spending counts",
};

/** Kinds of items that have a page. */
const itemNouns: Partial<Record<QueueName, Entry["subject"]>> = {
  expire_orders: "order",
  erase_accounts: "user",
  seal_second_factors: "user",
  restart_jobs: "job",
  end_jobs: "job",
  seal_webhook_secrets: "webhook",
  seal_payment_accounts: "payment_account",
  publish_expiring_keys: "api_key",
  publish_unused_keys: "api_key",
};

const referenceTo = ({ queue, item }: FailedItemRow): string | null =>
  itemNouns[queue] ? `${itemNouns[queue]}:${item}` : null;

const failedItemFilters = {
  queue: choiceFilter("Work", Object.entries(words)),
} satisfies FormInputs;

export async function failedItemsPage(c: Context<PanelEnv>) {
  const { query, form } = readFilters(c, FailedItemsQuery, failedItemFilters);
  const found = await listFailedItems(c.var.db, query);
  const names = await readNames(c.var.db, found.rows.map(referenceTo));
  return listPage(c, {
    noun: "failing work",
    above: (
      <p class="muted">
        Background work that failed at least three times in a row. It is retried at least once an hour and leaves this
        list when it succeeds.
      </p>
    ),
    found,
    form,
    columns: [
      { title: "Work", cell: ({ queue }) => words[queue] },
      { title: "Item", cell: (row) => <Item {...row} names={names} /> },
      { title: "Reason", cell: ({ reason }) => <code>{reason}</code> },
      { title: "Attempts", numeric: true, cell: ({ attempts }) => attempts.toLocaleString("en") },
      { title: "Failed first", cell: ({ createdAt }) => <When at={createdAt} /> },
      { title: "Next attempt", cell: ({ nextAttemptAt }) => <When at={nextAttemptAt} /> },
    ],
    none: { title: "No repeated failures", narrowed: "No repeated failures of this kind" },
    purpose: "Background work that fails three times in a row appears here with the reason.",
  });
}

const Item = ({ names, ...row }: FailedItemRow & { names: Names }) => {
  const reference = referenceTo(row);
  return reference === null ? <code>{row.item}</code> : <Reference to={reference} names={names} />;
};
