import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import { auditEntry } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { readPage } from "../../../platform/db/page.ts";
import { orderNotes } from "../../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../../platform/http/pagination.ts";
import { writeOnce } from "../../../platform/idempotency/queries.ts";
import type { NoteRow } from "./schemas.ts";

const newest = (orderId: number) =>
  sql`(SELECT ${jsonRow<NoteRow>(getTableColumns(orderNotes))} FROM order_notes WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1)`;

/** Adds a note together with its entry in the audit log. */
export async function insertNote(db: Database, orderId: number, text: string, author: Author): Promise<NoteRow> {
  const insert = sql`
    INSERT INTO order_notes (order_id, text, author, created_at) VALUES (${orderId}, ${text}, ${author.actor}, ${author.now})`;
  const entry = { action: "add_note", subject: "order", before: null, after: { note: text } } as const;
  return requireRow(
    await writeOnce<NoteRow>(db, author, [insert, auditEntry(author, entry, orderId)], newest(orderId)),
  );
}

/** An order's notes, newest first. */
const selectNotes = (db: Database, orderId: number) =>
  db.select().from(orderNotes).where(eq(orderNotes.orderId, orderId)).orderBy(desc(orderNotes.id));

/** A page of an order's notes, newest first. */
export function listNotes(db: Database, orderId: number, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  return readPage(
    db,
    selectNotes(db, orderId).limit(limit).offset(offset),
    orderNotes,
    eq(orderNotes.orderId, orderId),
  );
}
