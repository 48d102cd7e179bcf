import { desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { Hono } from "hono";
import * as z from "zod";
import { IdParam, Text, Timestamp } from "../../domain/fields.ts";
import { toRecord } from "../../domain/record.ts";
import { auditEntry, type Entry } from "../audit/audit.ts";
import { type AccountScope, accountScopeOf, type CallerContext } from "../auth/caller.ts";
import { type AppEnv, administer } from "../auth/gates.ts";
import type { PermissionNoun } from "../auth/roles.ts";
import { type Database, requireRow } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { readPage } from "../db/page.ts";
import type { orderNotes, userNotes } from "../db/schema.ts";
import { created, list } from "../http/envelope.ts";
import { PageQuery } from "../http/pagination.ts";
import { creates, lists } from "../http/route-description.ts";
import { validateAll } from "../http/validate.ts";
import { writeOnce } from "../idempotency/claims.ts";
import { idempotent, once } from "../idempotency/once.ts";
import { pascalCase } from "./resource.ts";

type NoteRow = { id: number; text: string; author: string; createdAt: number };

const NewNote = z.strictObject({ text: Text.trim().min(1, "must not be empty").max(2_000) });

const Note = z.object({
  id: z.int(),
  text: z.string(),
  author: z.string().describe("Author of the note, such as user:7"),
  created_at: Timestamp,
});

type Declaration = {
  notes: typeof orderNotes | typeof userNotes;
  /** The notes' column with the id of their subject. */
  subjectId: SQLiteColumn;
  subject: Entry["subject"];
  /** Throws unless the subject exists within the scope. */
  requireSubject: (db: Database, id: number, scope: AccountScope) => Promise<unknown>;
  path: "/orders" | "/users";
  permission: PermissionNoun;
  /** The subject in the names of operations and schemas, and in summaries. */
  noun: string;
  summaries: { list: string; create: string };
  description: string;
};

/** Declares internal notes of staff on a kind of record: their shape, their routes, and how to add one. */
export function declareNotes(declaration: Declaration) {
  const { notes, subjectId, subject, requireSubject, path, permission, noun, summaries, description } = declaration;
  const name = `${pascalCase(noun)}Note`;
  const schema = NewNote.meta({ id: `${name}Create` });
  const shown = Note.meta({ id: name, description });
  const toNote = (row: NoteRow): z.output<typeof Note> => toRecord(Note, row, {});

  /** Adds a note to a subject within the caller's scope, whose version does not change, with its audit log entry. */
  async function create(
    ctx: CallerContext,
    { id, note: { text } }: { id: number; note: z.output<typeof NewNote> },
  ): Promise<NoteRow> {
    const { db, caller, author } = ctx;
    await requireSubject(db, id, accountScopeOf(caller));
    const insert = sql`INSERT INTO ${notes} (${sql.identifier(subjectId.name)}, text, author, created_at)
      VALUES (${id}, ${text}, ${author.actor}, ${author.now})`;
    const entry = auditEntry(ctx, { action: "add_note", subject, id, after: { note: text } });
    const answer = sql`(SELECT ${jsonRow<NoteRow>(getTableColumns(notes))} FROM ${notes}
      WHERE ${eq(subjectId, id)} ORDER BY ${notes.id} DESC LIMIT 1)`;
    return requireRow(await writeOnce<NoteRow>(ctx, { writes: [insert, entry], answer }));
  }

  const routes = new Hono<AppEnv>()
    .get(
      `${path}/:id/notes`,
      administer(`${permission}:read`),
      validateAll({ param: IdParam, query: PageQuery }),
      lists(`list${name}s`, summaries.list, shown),
      async (c) => {
        const { db, caller } = c.var;
        const { id } = c.req.valid("param");
        await requireSubject(db, id, accountScopeOf(caller));
        const where = eq(subjectId, id);
        const newest = db.select().from(notes).where(where).orderBy(desc(notes.id));
        const page = await readPage<NoteRow>(db, c.req.valid("query"), newest, notes, where);
        return list(c, "Notes", page, toNote);
      },
    )
    .post(
      `${path}/:id/notes`,
      administer(`${permission}:write`),
      idempotent,
      validateAll({ param: IdParam, json: schema }),
      creates(`create${name}`, summaries.create, shown),
      async (c) => {
        const [{ id }, sent] = [c.req.valid("param"), c.req.valid("json")];
        const note = await once(c, sent, (ctx) => create(ctx, { id, note: sent }));
        return created(c, `/api/v1/admin${path}/${id}/notes`, "Note added", toNote(note));
      },
    );

  return { schema, create, routes };
}
