import { type SQL, sql } from "drizzle-orm";
import { isDueForErasure } from "../../accounts/personal-data/public.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { MAX_REFUND_FAILURES, type QueueName } from "../../platform/db/schema.ts";

/** Maximum number of items counted in a queue. */
export const MOST_COUNTED = 1000;

export type QueueKind = {
  label: string;
  /** Names of one item and of several. */
  items: readonly [one: string, many: string];
  /** Age of the oldest item at which the queue is stuck. */
  stuckAfterMs: number;
  /** The reason for this age, in a sentence. */
  because: string;
  /** A sentence on what to do if the queue is stuck. */
  remedy: string;
  /** Scheduled work whose repeatedly failing items belong to the queue. */
  failing: readonly QueueName[];
  /** Selects `since` of the waiting items, oldest first, from an index. Null if the items are not in the database. */
  waiting: ((now: number) => SQL) | null;
};

/** Queues of the shop, most urgent first. */
export const queueKinds = {
  emails: {
    label: "E-mails",
    items: ["e-mail", "e-mails"],
    stuckAfterMs: HOUR_MS,
    because: "An e-mail is sent within a minute. After an hour, the e-mail service has refused it about six times.",
    remedy:
      "Open E-mails and read why the last attempt failed. Usually the account of the e-mail service needs attention.",
    failing: ["send_emails"],
    waiting: () => sql`SELECT created_at AS since FROM emails WHERE state = 'waiting' ORDER BY id`,
  },
  refunds: {
    label: "Refunds to send",
    items: ["refund", "refunds"],
    stuckAfterMs: 30 * MINUTE_MS,
    because: "A refund reaches its payment provider within a minute, and an outage rarely lasts half an hour.",
    remedy: "Check the payment provider's status and that its secrets are set.",
    failing: ["send_refunds"],
    waiting: () => sql`SELECT created_at AS since FROM refunds
      WHERE reference IS NULL AND failures < ${sql.raw(String(MAX_REFUND_FAILURES))} ORDER BY id`,
  },
  unpaid_orders: {
    label: "Unpaid orders to expire",
    items: ["order", "orders"],
    stuckAfterMs: 15 * MINUTE_MS,
    because: "Each minute the schedule expires orders that were not paid in time. Until then they hold stock.",
    remedy: "Open Failing work to see which order cannot be changed, and why.",
    failing: ["expire_orders"],
    waiting: (now) => sql`SELECT expires_at AS since FROM orders INDEXED BY orders_by_expiry
      WHERE status = 'pending' AND expires_at <= ${now} ORDER BY expires_at`,
  },
  payments_to_close: {
    label: "Payment pages to close",
    items: ["page", "pages"],
    stuckAfterMs: 30 * MINUTE_MS,
    because:
      "The payment page of a cancelled order accepts money until it is closed or expires, half an hour after it was opened. An agent's payment is reserved until it is collected or released.",
    remedy: "Check the payment provider's status and that its secrets are set.",
    failing: ["close_payments"],
    waiting: () => sql`SELECT created_at AS since FROM payments_to_close`,
  },
  events: {
    label: "Events awaiting e-mails",
    items: ["event", "events"],
    stuckAfterMs: 10 * MINUTE_MS,
    because: "Events are read within seconds, and a backlog of thousands within a minute.",
    remedy: "Open Failing work, and look for failed statements in the Worker's log.",
    failing: ["write_emails"],
    waiting: () => sql`SELECT created_at AS since FROM events
      WHERE id > coalesce((SELECT after_id FROM event_cursors WHERE reader = 'e-mails'), 0) ORDER BY id`,
  },
  jobs: {
    label: "Jobs and imports",
    items: ["job", "jobs"],
    stuckAfterMs: 10 * MINUTE_MS,
    because: "A running job makes progress every few seconds, and the schedule restarts one that does not.",
    remedy: "Open the job and cancel it if it makes no progress. Its completed work remains, and can be undone.",
    failing: ["restart_jobs", "end_jobs"],
    waiting: () => sql`SELECT updated_at AS since FROM jobs WHERE state IN ('queued', 'running') ORDER BY updated_at`,
  },
  webhook_deliveries: {
    label: "Webhook deliveries",
    items: ["delivery", "deliveries"],
    stuckAfterMs: 2 * HOUR_MS,
    because: "Deliveries to a failing receiver are retried for days, but somebody should check it after two hours.",
    remedy: "Open the failing webhook, read the responses of its receiver, and fix the receiver.",
    failing: [],
    waiting: null,
  },
  sales: {
    label: "Sales to add up",
    items: ["entry", "entries"],
    stuckAfterMs: 15 * MINUTE_MS,
    because: "Sales are added up every minute. The report does not include the waiting ones yet.",
    remedy: "Open Failing work, and look for failed statements in the Worker's log.",
    failing: ["add_up_sales"],
    // A new time zone requires adding up all sales again, so their age counts from the last progress, not from the
    // orders.
    waiting: () => sql`SELECT max(at, coalesce((SELECT moved_at FROM sales_progress), 0)) AS since FROM order_history
      WHERE id > coalesce((SELECT history_id FROM sales_progress), 0) ORDER BY id`,
  },
  account_erasures: {
    label: "Accounts to erase",
    items: ["account", "accounts"],
    stuckAfterMs: DAY_MS,
    because: "An account is erased within a minute of its due time. The law allows a month.",
    remedy: "Open Failing work to see which account cannot be erased, and why.",
    failing: ["erase_accounts"],
    waiting: (now) => sql`SELECT erase_at AS since FROM users WHERE ${isDueForErasure(now)} ORDER BY erase_at`,
  },
} as const satisfies Record<string, QueueKind>;

export type QueueKindName = keyof typeof queueKinds;

export const isQueueKindName = (name: string): name is QueueKindName => name in queueKinds;

export const queueKindNames = Object.keys(queueKinds).filter(isQueueKindName);
