import { desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { iso, Text, Timestamp } from "../../domain/fields.ts";
import { auditEntry, type Entry } from "../audit/audit.ts";
import type { WriteContext } from "../auth/caller.ts";
import { type Database, requireRow } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { readPage } from "../db/page.ts";
import type { orderNotes, userNotes } from "../db/schema.ts";
import type { PageQuery } from "../http/pagination.ts";
import { writeOnce } from "../idempotency/claims.ts";

// Internal notes of staff on a customer or an order. Both kinds have the same fields, each in a table of its own.

type NoteTable = typeof orderNotes | typeof userNotes;

export type NoteRow = { id: number; text: string; author: string; createdAt: number };

export const NewNote = z.strictObject({ text: Text.trim().min(1, "must not be empty").max(2_000) });

export const Note = z.object({
  id: z.int(),
  text: z.string(),
  author: z.string().describe("Author of the note, such as user:7"),
  created_at: Timestamp,
});

export const toNote = ({ id, text, author, createdAt }: NoteRow): z.output<typeof Note> => ({
  id,
  text,
  author,
  created_at: iso(createdAt),
});

/** Returns a page of the notes that match `where`, newest first. */
export const readNotes = (db: Database, notes: NoteTable, where: SQL, query: PageQuery) =>
  readPage<NoteRow>(db, query, db.select().from(notes).where(where).orderBy(desc(notes.id)), notes, where);

/** Inserts a note with its audit log entry. `where` matches the notes on its subject, whose version does not change. */
export async function insertNote(
  ctx: Pick<WriteContext, "db" | "author">,
  {
    notes,
    insert,
    where,
    ...subject
  }: { notes: NoteTable; insert: SQL; where: SQL } & Pick<Entry, "subject" | "id" | "after">,
): Promise<NoteRow> {
  const entry = auditEntry(ctx, { action: "add_note", ...subject });
  const answer = sql`(SELECT ${jsonRow<NoteRow>(getTableColumns(notes))} FROM ${notes}
    WHERE ${where} ORDER BY ${notes.id} DESC LIMIT 1)`;
  return requireRow(await writeOnce<NoteRow>(ctx, { writes: [insert, entry], answer }));
}
