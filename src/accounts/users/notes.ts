import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import * as z from "zod";
import { iso, Text, Timestamp } from "../../domain/fields.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import type { WriteContext } from "../../platform/auth/write-context.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import { userNotes } from "../../platform/db/schema.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { requireAccount } from "./admin.ts";

export type CustomerNoteRow = typeof userNotes.$inferSelect;

/** Returns a page of the notes on a customer, newest first. */
export function listCustomerNotes(db: Database, userId: number, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  const where = eq(userNotes.userId, userId);
  const rows = db.select().from(userNotes).where(where).orderBy(desc(userNotes.id)).limit(limit).offset(offset);
  return readPage(db, rows, userNotes, where);
}

export const NewCustomerNote = z
  .strictObject({ text: Text.trim().min(1, "must not be empty").max(2_000) })
  .meta({ id: "NewCustomerNote" });
export type NewCustomerNote = z.output<typeof NewCustomerNote>;

export const CustomerNote = z
  .object({
    id: z.int(),
    text: z.string(),
    author: z.string().describe("Author of the note, such as user:7"),
    created_at: Timestamp,
  })
  .meta({ id: "CustomerNote", description: "An internal note by staff on a customer, who cannot see it" });

export const toCustomerNote = ({ id, text, author, createdAt }: CustomerNoteRow): z.output<typeof CustomerNote> => ({
  id,
  text,
  author,
  created_at: iso(createdAt),
});

/** Adds a note to a customer within the caller's scope. The account and its version do not change. */
export async function addCustomerNote(
  { db, caller, author }: Pick<WriteContext<UserCaller | ApiKeyCaller>, "db" | "caller" | "author">,
  { id, note: { text } }: { id: number; note: NewCustomerNote },
): Promise<CustomerNoteRow> {
  await requireAccount(db, { id, scope: accountScopeOf(caller) });
  const note = { userId: id, text, author: author.actor, createdAt: author.now };
  const entry = auditEntry({ author }, { action: "add_note", subject: "user", id, after: { note: text } });
  const answer = sql`(SELECT ${jsonRow<CustomerNoteRow>(getTableColumns(userNotes))} FROM ${userNotes}
    WHERE ${eq(userNotes.userId, id)} ORDER BY ${userNotes.id} DESC LIMIT 1)`;
  const writes = [db.insert(userNotes).values(note).getSQL(), entry];
  return requireRow(await writeOnce<CustomerNoteRow>({ db, author }, { writes, answer }));
}
