import { desc, isNull, or, sql } from "drizzle-orm";
import * as z from "zod";
import { line } from "../../domain/fields.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type AuthorContext, requireFresh } from "../../platform/auth/caller.ts";
import { hashSecret, randomToken } from "../../platform/auth/secrets.ts";
import { type Database, runAll } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { apps } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { RedirectUris } from "./clients.ts";

export const AppRegistration = z.strictObject({
  name: line(100),
  publisher: line(100),
  redirect_uris: RedirectUris,
  confidential: z.boolean(),
});

/** Registers an app. `secret` is shown once, and null for a public client. */
export async function registerApp(
  ctx: AuthorContext,
  { name, publisher, redirect_uris: redirectUris, confidential }: z.output<typeof AppRegistration>,
): Promise<{ clientId: string; secret: string | null }> {
  requireFresh(ctx.author);
  const clientId = `app_${crypto.randomUUID().replaceAll("-", "")}`;
  const secret = confidential ? randomToken("sfas_") : null;
  const row = { clientId, name, publisher, redirectUris, secretHash: secret && hashSecret(secret) };
  const after = { client_id: clientId, name, publisher, redirect_uris: redirectUris, confidential };
  const id = sql`(SELECT id FROM apps WHERE client_id = ${clientId})`;
  await runAll(ctx.db, [
    insertSelected(apps, { ...row, createdAt: ctx.author.now, updatedAt: ctx.author.now }),
    auditEntry(ctx, { action: "create", subject: "app", id, after }),
  ]);
  return { clientId, secret };
}

/** Lists the apps that are registered or that somebody agreed to, newest first, with those that are blocked. */
export function listClients(db: Database, query: PageQuery) {
  const where = or(isNull(apps.publisher), isNull(apps.deletedAt));
  return readPage(db, query, db.select().from(apps).where(where).orderBy(desc(apps.id)), apps, where);
}
