import { eq } from "drizzle-orm";
import type * as z from "zod";
import { insertNote, NewNote, Note, readNotes } from "../../platform/administration/notes.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller, type WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { userNotes } from "../../platform/db/schema.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { requireAccount } from "./admin.ts";

export const CustomerNoteCreate = NewNote.meta({ id: "CustomerNoteCreate" });

export const CustomerNote = Note.meta({
  id: "CustomerNote",
  description: "An internal note by staff on a customer, who cannot see it",
});

export const listCustomerNotes = (db: Database, userId: number, query: PageQuery) =>
  readNotes(db, userNotes, eq(userNotes.userId, userId), query);

/** Adds a note to a customer within the caller's scope. */
export async function createCustomerNote(
  ctx: Pick<WriteContext<UserCaller | ApiKeyCaller>, "db" | "caller" | "author">,
  { id, note: { text } }: { id: number; note: z.output<typeof NewNote> },
) {
  const { db, caller, author } = ctx;
  await requireAccount(db, { id, scope: accountScopeOf(caller) });
  const note = { userId: id, text, author: author.actor, createdAt: author.now };
  const insert = db.insert(userNotes).values(note).getSQL();
  const where = eq(userNotes.userId, id);
  return insertNote(ctx, { notes: userNotes, insert, where, subject: "user", id, after: { note: text } });
}
