import type { AlertKind, AlertRow } from "../../platform/db/schema.ts";
import { isQueueKindName, queueKinds } from "./queue-table.ts";

type KindOfAlert = {
  /** True if customers may notice it now. */
  isUrgent: boolean;
  title: (about: string) => string;
  /** A sentence on what to do. */
  remedy: (about: string) => string;
  /** Path below the panel's address of the page to do it on. */
  path: (about: string) => string;
};

const FAILING_WORK = "/jobs/failed-items";

/** Pages on which to inspect a stuck queue. */
const pagesOfQueues: Record<string, string> = {
  emails: "/emails",
  jobs: "/jobs",
  webhook_deliveries: "/webhooks",
  refunds: "/payments",
  payments_to_close: "/payments",
};

const kindsOfAlerts: Record<AlertKind, KindOfAlert> = {
  error_rate: {
    isUrgent: true,
    title: () => "Many requests fail",
    remedy: () =>
      "If a deployment started shortly before, undo it with npm run rollback. Read the Worker's log for the errors.",
    path: () => "/health",
  },
  queue_stuck: {
    isUrgent: true,
    title: (about) => `Stuck queue: ${isQueueKindName(about) ? queueKinds[about].label : about}`,
    remedy: (about) => (isQueueKindName(about) ? queueKinds[about].remedy : ""),
    path: (about) => pagesOfQueues[about] ?? FAILING_WORK,
  },
  duty_failing: {
    isUrgent: true,
    title: (about) => `Failing task: ${about}`,
    remedy: () => "Health shows the error. The Worker's log contains the full error every minute.",
    path: () => "/health",
  },
  backup_overdue: {
    isUrgent: false,
    title: () => "No current backup",
    remedy: () => "Open Backups to see how the last one ended, and start one.",
    path: () => "/backups",
  },
  endpoint_paused: {
    isUrgent: false,
    title: (about) => `Paused webhook: ${about.replace("webhook:", "#")}`,
    remedy: () =>
      "Fix its receiver, then enable the webhook. It will receive everything it missed in the last 30 days.",
    path: (about) => `/webhooks/${about.replace("webhook:", "")}`,
  },
  database_size: {
    isUrgent: false,
    title: () => "Database nearly full",
    remedy: () =>
      "Shorten how long e-mails are kept, delete data that you do not need, or ask Cloudflare for a higher limit.",
    path: () => "/health",
  },
  secret_age: {
    isUrgent: false,
    title: (about) => `Old secret: ${about}`,
    remedy: () =>
      "Replace the secret: put a new value first and deploy, as described under “Rotating secrets” in the documentation.",
    path: () => "/health",
  },
};

/** An alert in words. */
export type WordedAlert = { title: string; remedy: string; path: string; isUrgent: boolean };

export function wordsOfAlert({ kind, about }: Pick<AlertRow, "kind" | "about">): WordedAlert {
  const { title, remedy, path, isUrgent } = kindsOfAlerts[kind];
  return { title: title(about), remedy: remedy(about), path: path(about), isUrgent };
}
