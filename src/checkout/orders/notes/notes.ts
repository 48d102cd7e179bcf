import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { iso, Text, Timestamp } from "../../../domain/fields.ts";
import { auditEntry } from "../../../platform/audit/audit.ts";
import type { Author } from "../../../platform/auth/author.ts";
import type { Target } from "../../../platform/db/account-scope.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { jsonRow } from "../../../platform/db/json.ts";
import { readPage } from "../../../platform/db/page.ts";
import { orderNotes } from "../../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../../platform/http/pagination.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { requireOrder } from "../edit.ts";

const newest = (orderId: number) =>
  sql`(SELECT ${jsonRow<NoteRow>(getTableColumns(orderNotes))} FROM order_notes WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1)`;

/** Adds a note together with its audit log entry. */
async function insertNote(db: Database, orderId: number, text: string, author: Author): Promise<NoteRow> {
  const insert = sql`
    INSERT INTO order_notes (order_id, text, author, created_at) VALUES (${orderId}, ${text}, ${author.actor}, ${author.now})`;
  const entry = { action: "add_note", subject: "order", before: null, after: { note: text } } as const;
  return requireRow(
    await writeOnce<NoteRow>(db, author, [insert, auditEntry(author, entry, orderId)], newest(orderId)),
  );
}

/** Selects an order's notes, newest first. */
const selectNotes = (db: Database, orderId: number) =>
  db.select().from(orderNotes).where(eq(orderNotes.orderId, orderId)).orderBy(desc(orderNotes.id));

/** Returns a page of an order's notes, newest first. */
export function listNotes(db: Database, orderId: number, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  return readPage(
    db,
    selectNotes(db, orderId).limit(limit).offset(offset),
    orderNotes,
    eq(orderNotes.orderId, orderId),
  );
}

type NoteRow = typeof orderNotes.$inferSelect;

export const NewOrderNote = z
  .strictObject({ text: Text.trim().min(1, "must not be empty").max(2_000) })
  .meta({ id: "NewOrderNote" });
export type NewOrderNote = z.output<typeof NewOrderNote>;

export const OrderNote = z
  .object({
    id: z.int(),
    text: z.string(),
    author: z.string().describe("Author of the note, such as user:7"),
    created_at: Timestamp,
  })
  .meta({ id: "OrderNote", description: "An internal note of staff on an order. Buyers cannot read it" });

export const toOrderNote = ({ id, text, author, createdAt }: NoteRow): z.output<typeof OrderNote> => ({
  id,
  text,
  author,
  created_at: iso(createdAt),
});

/** Adds a note to an order within the caller's scope. The order and its version do not change. */
export async function addNote(
  db: Database,
  { id, scope }: Target,
  { text }: NewOrderNote,
  author: Author,
): Promise<NoteRow> {
  await requireOrder(db, id, scope);
  return insertNote(db, id, text, author);
}
