import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EventType } from "../../../domain/event-types.ts";
import { createdAt, flag, id, rowId, updatedAt } from "./columns.ts";

/**
 * What happened, written by triggers together with it (db/guards/events.sql). Ids rise in the order in which changes were
 * committed, and none is given twice: the newest event is never deleted.
 */
export const events = sqliteTable(
  "events",
  {
    id: rowId(),
    type: text().$type<EventType>().notNull(),
    /** The noun and the id of what it happened to: "order:7". */
    subject: text().notNull(),
    createdAt: createdAt(),
    /** As readers get it: named and written as on the wire, money with decimals. */
    data: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("events_by_subject").on(table.subject, table.id)],
);

/** How far a reader of the events has come who keeps what it makes of them in this database. */
export const eventCursors = sqliteTable("event_cursors", {
  reader: text().primaryKey(),
  /** The id of the last event that it has dealt with. */
  afterId: integer("after_id").notNull(),
});

/** Why an endpoint was paused by itself: nothing arrived for days, or it answered that it is gone. */
export const pauseReasons = ["failing", "gone"] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** Where events are delivered to. What was delivered is known to the Durable Object of the endpoint. */
export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: id(),
  /** A random name: that of its Durable Object, and what its secrets are encrypted for. */
  key: text().notNull().unique(),
  url: text().notNull(),
  /** As webhooks/fields.ts has them, wildcards among them. */
  types: text({ mode: "json" }).$type<string[]>().notNull(),
  description: text(),
  enabled: flag("enabled").notNull(),
  /** Null unless it was paused by itself. */
  pauseReason: text("pause_reason", { enum: pauseReasons }),
  /** Whose accounts its events may be about: those that whoever subscribed it may read. */
  accountScope: text("account_scope", { enum: ["everybody", "customers"] }).notNull(),
  /** The secret that signs, and the one before; see webhooks/secrets.ts. */
  sealed: text().notNull(),
  /** Which of the deployment's secrets encrypts them. */
  sealedUnder: text("sealed_under").notNull(),
  /** Until when the secret before the last rotation signs as well. */
  previousExpiresAt: integer("previous_expires_at"),
  /** The last event before it was created: what comes after is for it. */
  startsAfter: integer("starts_after").notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
