import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { iso, Text, Timestamp } from "../../domain/fields.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import type { WriteContext } from "../../platform/auth/write-context.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import { orderNotes } from "../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { requireOrder } from "./edit.ts";

/** Returns a page of an order's notes, newest first. */
export function listNotes(db: Database, orderId: number, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  const where = eq(orderNotes.orderId, orderId);
  const rows = db.select().from(orderNotes).where(where).orderBy(desc(orderNotes.id)).limit(limit).offset(offset);
  return readPage(db, rows, orderNotes, where);
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
  .meta({ id: "OrderNote", description: "An internal note by staff on an order. Buyers cannot see it" });

export const toOrderNote = ({ id, text, author, createdAt }: NoteRow): z.output<typeof OrderNote> => ({
  id,
  text,
  author,
  created_at: iso(createdAt),
});

const newest = (orderId: number) =>
  sql`(SELECT ${jsonRow<NoteRow>(getTableColumns(orderNotes))} FROM ${orderNotes} WHERE ${eq(orderNotes.orderId, orderId)}
    ORDER BY ${orderNotes.id} DESC LIMIT 1)`;

/**
 * Adds a note to an order within the caller's scope, together with its audit log entry. The order and its version do not
 * change.
 */
export async function addNote(
  { db, caller, author }: Pick<WriteContext<UserCaller | ApiKeyCaller>, "db" | "caller" | "author">,
  { id, note: { text } }: { id: number; note: NewOrderNote },
): Promise<NoteRow> {
  await requireOrder(db, id, accountScopeOf(caller));
  const note = { orderId: id, text, author: author.actor, createdAt: author.now };
  const entry = auditEntry({ author }, { action: "add_note", subject: "order", id, after: { note: text } });
  const writes = [db.insert(orderNotes).values(note).getSQL(), entry];
  return requireRow(await writeOnce<NoteRow>({ db, author }, { writes, answer: newest(id) }));
}
