import { desc, eq, getTableColumns, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { auditEntry, type Entry } from "../audit/audit.ts";
import { seal, unseal } from "../auth/seal.ts";
import type { WriteContext } from "../auth/write-context.ts";
import { type Database, runAll } from "../db/client.ts";
import { allOf, type Conditions, type PageOf, readPage } from "../db/page.ts";
import { emailStates, emails } from "../db/schema.ts";
import { updateRows } from "../db/statements.ts";
import { limitAndOffset, pageFields } from "../http/pagination.ts";
import { tokenPurpose } from "./emails.ts";

/** An e-mail in the outbox, without its link's token. */
export type OutboxRow = Omit<typeof emails.$inferSelect, "token" | "key" | "params">;

const { token: _, key: __, params: ___, ...columns } = getTableColumns(emails);

export function listEmails(db: Database, query: EmailsQuery): Promise<PageOf<OutboxRow>> {
  const where = allOf({ state: query.state && eq(emails.state, query.state) } satisfies Conditions<EmailsQuery>);
  const { limit, offset } = limitAndOffset(query);
  const rows = db.select(columns).from(emails).where(where).orderBy(desc(emails.id)).limit(limit).offset(offset);
  return readPage(db, rows, emails, where);
}

/** Queues an e-mail again under a new key, to be delivered again. One that is pending or being sent stays unchanged. */
export async function sendAgain(ctx: Pick<WriteContext, "db" | "settings" | "author">, id: number): Promise<void> {
  const { db, author } = ctx;
  const { linkSecrets } = ctx.settings;
  const email = await db.select().from(emails).where(eq(emails.id, id)).get();
  if (!email) throw notFound(`E-mail ${id}`);
  const key = crypto.randomUUID();
  const token =
    email.token && seal(linkSecrets, tokenPurpose(key), unseal(linkSecrets, tokenPurpose(email.key), email.token));
  const settled = sql`${eq(emails.id, id)} AND ${eq(emails.key, email.key)} AND ${inArray(emails.state, ["sent", "failed"])}`;
  const pending = { state: "waiting", reason: null, attempts: 0, sentAt: null, dueAt: author.now } as const;
  const entry = { action: "send_email_again", after: { email: email.template } };
  await runAll(db, [
    ...auditedAs(email).map((subject) => auditEntry(ctx, { ...entry, ...subject })),
    updateRows(emails, { key, token, ...pending }, settled),
  ]);
}

/** The audited subject of an e-mail: an account, or a guest's order. */
function auditedAs({ userId, orderId }: OutboxRow): Pick<Entry, "subject" | "id">[] {
  if (userId !== null) return [{ subject: "user", id: userId }];
  return orderId === null ? [] : [{ subject: "order", id: orderId }];
}

export const EmailsQuery = z.strictObject({ ...pageFields, state: z.enum(emailStates).optional() });
export type EmailsQuery = z.output<typeof EmailsQuery>;
