import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { EventType } from "../../../domain/event-types.ts";
import { createdAt, rowId } from "./columns.ts";

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
