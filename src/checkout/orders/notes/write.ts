import type { Author } from "../../../platform/auth/author.ts";
import type { Target } from "../../../platform/db/account-scope.ts";
import type { Database } from "../../../platform/db/client.ts";
import { requireOrder } from "../write.ts";
import { insertNote } from "./queries.ts";
import type { NewOrderNote, NoteRow } from "./schemas.ts";

/** Adds a note to an order that is within reach. The order itself stays as it is, and so does its version. */
export async function addNote(
  db: Database,
  { id, scope }: Target,
  { text }: NewOrderNote,
  author: Author,
): Promise<NoteRow> {
  await requireOrder(db, id, scope);
  return insertNote(db, id, text, author);
}
