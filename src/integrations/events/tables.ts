import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EventType } from "../../domain/event-types.ts";
import { createdAt, flag, id, rowId, updatedAt } from "../../platform/db/columns.ts";
import { apiKeys } from "../api-keys/tables.ts";

/**
 * Events, written by triggers together with the change (guards.sql). Ids rise in commit order and are never reused:
 * the newest event is never deleted.
 */
export const events = sqliteTable(
  "events",
  {
    id: rowId(),
    type: text().$type<EventType>().notNull(),
    /** Noun and id of the resource: "order:7". */
    subject: text().notNull(),
    createdAt: createdAt(),
    /** Data as readers get it: API names, and money with decimals. */
    data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("events_by_subject").on(table.subject, table.id)],
);

/** Position of a consumer of events that stores its results in this database. */
export const eventCursors = sqliteTable("event_cursors", {
  reader: text().primaryKey(),
  /** Id of the last processed event. */
  afterId: integer("after_id").notNull(),
});

/** Reasons for disabling an endpoint automatically: failures for days, or a 410 response. */
export const pauseReasons = ["failing", "gone"] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** Destinations of events. Deliveries are stored in the endpoint's Durable Object. */
export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: id(),
  /** Random name of its Durable Object. Its secrets are encrypted for this name. */
  key: text().notNull().unique(),
  url: text().notNull(),
  /** Event types as in webhooks/endpoints.ts, including wildcards. */
  types: text({ mode: "json" }).$type<string[]>().notNull(),
  description: text(),
  enabled: flag("enabled").notNull(),
  /** Null unless disabled automatically. */
  pauseReason: text("pause_reason", { enum: pauseReasons }),
  /** Accounts that its events may be about: those visible to the subscriber. */
  accountScope: text("account_scope", { enum: ["everybody", "customers"] }).notNull(),
  /** The signing secret and the previous one; see webhooks/secrets.ts. */
  sealed: text().notNull(),
  /** The secret of the deployment that encrypts them. */
  sealedUnder: text("sealed_under").notNull(),
  /** Time until which the previous secret also signs. */
  previousExpiresAt: integer("previous_expires_at"),
  /** The last event before its creation. Later events are delivered. */
  startsAfter: integer("starts_after").notNull(),
  /** The installation that created it and alone may see it, besides people. Null for any other. */
  installationId: integer("installation_id").references(() => apiKeys.id),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
