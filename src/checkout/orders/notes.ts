import { eq } from "drizzle-orm";
import type * as z from "zod";
import { insertNote, NewNote, Note, readNotes } from "../../platform/administration/notes.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller, type WriteContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { orderNotes } from "../../platform/db/schema.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { requireOrder } from "./update.ts";

export const OrderNoteCreate = NewNote.meta({ id: "OrderNoteCreate" });

export const OrderNote = Note.meta({
  id: "OrderNote",
  description: "An internal note by staff on an order. Buyers cannot see it",
});

export const listOrderNotes = (db: Database, orderId: number, query: PageQuery) =>
  readNotes(db, orderNotes, eq(orderNotes.orderId, orderId), query);

/** Adds a note to an order within the caller's scope. */
export async function createOrderNote(
  ctx: Pick<WriteContext<UserCaller | ApiKeyCaller>, "db" | "caller" | "author">,
  { id, note: { text } }: { id: number; note: z.output<typeof NewNote> },
) {
  const { db, caller, author } = ctx;
  await requireOrder(db, id, accountScopeOf(caller));
  const note = { orderId: id, text, author: author.actor, createdAt: author.now };
  const insert = db.insert(orderNotes).values(note).getSQL();
  const where = eq(orderNotes.orderId, id);
  return insertNote(ctx, { notes: orderNotes, insert, where, subject: "order", id, after: { note: text } });
}
