import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { conflict, notFound } from "../../domain/errors.ts";
import { newRow } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation } from "../../platform/administration/write-queries.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { APP_TOKEN_PREFIX, mintApiKey, startOf } from "../../platform/auth/api-keys/format.ts";
import { forgetApiKey } from "../../platform/auth/api-keys/home.ts";
import { countStoredBytes, jsonBytes, storageRefused } from "../../platform/auth/author-limits.ts";
import { type AuthorContext, requireFresh, type UserCaller, type WriteContext } from "../../platform/auth/caller.ts";
import { ACCESS_TOKEN_MS } from "../../platform/auth/tokens.ts";
import { forgetUser } from "../../platform/auth/user-limiter.ts";
import { type Database, requireRow, runAll, writeThenRead } from "../../platform/db/client.ts";
import { readPage } from "../../platform/db/page.ts";
import { apiKeys, apps, sessions, users, webhookEndpoints } from "../../platform/db/schema.ts";
import { precondition, translateViolations, updateRows } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import {
  type ApiKeyRow,
  ApiKeyUpdate,
  apiKeyFields,
  auditedApiKeys,
  changeKey,
  newApiKey,
  revokeKey,
} from "../api-keys/public.ts";
import { nudge } from "../webhooks/public.ts";
import type { AuthorizationRequest } from "./authorize.ts";
import type { Client } from "./clients.ts";
import { insertCode } from "./codes.ts";

// An app that staff install is an API key whose credentials are the tokens of OAuth: one caller, one gate, one limiter. Each
// administrator who installs it has an installation, with permissions of their choice.

/** Begins the name of an installation, as the audit log and histories show it. */
const AUTHOR = "app:";

/** D1 returns the rows of a batch by column name, so none may have another's. */
const installation = {
  ...getTableColumns(apiKeys),
  app: {
    /** The name that its administrator saw. The app may call itself something else by now. */
    name: sql<string>`substr(${apiKeys.name}, ${AUTHOR.length + 1})`.as("app_name"),
    clientId: apps.clientId,
    publisher: apps.publisher,
  },
  installedBy: sql<string>`${users.name}`.as("installed_by"),
  /** False if the administrator who installed it is none any more, so that another should review it. */
  isInstallerAdmin: sql`${users.role} = 'admin' AND ${users.disabledAt} IS NULL`.mapWith(Boolean).as("is_admin"),
};

const selectInstallations = (db: Database) =>
  db
    .select(installation)
    .from(apiKeys)
    .innerJoin(apps, eq(apps.id, apiKeys.appId))
    .innerJoin(users, eq(users.id, apiKeys.createdBy));

export type InstallationRow = Awaited<ReturnType<typeof requireInstallation>>;

/** Lists the installed apps, newest first. */
export function listInstallations(db: Database, query: PageQuery) {
  const where = and(isNotNull(apiKeys.appId), isNull(apiKeys.revokedAt));
  return readPage(db, query, selectInstallations(db).where(where).orderBy(desc(apiKeys.id)), apiKeys, where);
}

export async function requireInstallation(db: Database, id: number) {
  const row = await selectInstallations(db)
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .get();
  if (!row) throw notFound(`App ${id}`);
  return row;
}

/** The start of an installation's tokens, also of one that was removed. Undefined for an API key. */
export const findInstallationStart = async (db: Database, id: number): Promise<string | undefined> => {
  const isIt = and(eq(apiKeys.id, id), isNotNull(apiKeys.appId));
  return (await db.select({ start: apiKeys.start }).from(apiKeys).where(isIt).get())?.start;
};

/** Installs an app with the permissions that the administrator left, or gives its installation these. Returns the code. */
export async function install(
  ctx: WriteContext<UserCaller>,
  { request, permissions }: { request: AuthorizationRequest; permissions: string[] },
): Promise<string> {
  const { env, db, caller } = ctx;
  requireFresh(ctx.author);
  const appId = await saveClient(ctx, request.client);
  const owned = and(eq(apiKeys.appId, appId), eq(apiKeys.createdBy, caller.id), isNull(apiKeys.revokedAt));
  const before = await db.select().from(apiKeys).where(owned).get();
  const agreed = { name: AUTHOR + request.client.name, permissions };
  const installed = before ? await changeAgreed(ctx, before, agreed) : await insertInstallation(ctx, appId, agreed);
  await forgetApiKey(env, installed.start);
  return insertCode(ctx, { request, appId, scopes: permissions, apiKeyId: installed.id });
}

/** Stores a client, so that its codes and tokens can be exchanged without reading its description again. */
export async function saveClient(
  { db, author }: AuthorContext,
  { clientId, name, publisher, redirectUris }: Client,
): Promise<number> {
  const described = { name, redirectUris, updatedAt: author.now };
  const insert = db
    .insert(apps)
    .values({ ...described, clientId, publisher, createdAt: author.now })
    .onConflictDoUpdate({ target: apps.clientId, set: described });
  const saved = db.select({ id: apps.id }).from(apps).where(eq(apps.clientId, clientId));
  // A shopper can name any client, and descriptions can be long.
  const writes = [...countStoredBytes({ author }, jsonBytes(described)), insert.getSQL()];
  const [row] = await translateViolations(writeThenRead(db, writes, saved), storageRefused(author.now));
  return requireRow(row).id;
}

/** The name that the administrator saw, and the permissions that they left. */
type AgreedTerms = Pick<ApiKeyRow, "name" | "permissions">;

const changeAgreed = (ctx: AuthorContext, before: ApiKeyRow, columns: AgreedTerms) =>
  applyChange(ctx, { target: auditedApiKeys, action: "update", before, ifMatch: {}, decide: () => ({ columns }) });

/** The row's own hash is that of a value that nobody knows. */
function insertInstallation(ctx: WriteContext<UserCaller>, appId: number, agreed: AgreedTerms): Promise<ApiKeyRow> {
  const unknown = mintApiKey(ctx.settings.apiKeySecrets, APP_TOKEN_PREFIX);
  const chosen = newRow(apiKeyFields, agreed, {});
  const row = { ...chosen, test: false, start: startOf(unknown), createdBy: ctx.caller.id };
  const { row: columns, ...creation } = newApiKey(row, unknown);
  const refusals = {
    "api_keys.app_id, api_keys.created_by": () =>
      conflict("changed_meanwhile", "You installed this app in another window at the same time. Try again"),
  };
  return applyCreation(ctx, { target: { ...auditedApiKeys, refusals }, ...creation, row: { ...columns, appId } });
}

/** The fields of an installation that administrators change. */
export const InstallationUpdate = z.strictObject({
  permissions: ApiKeyUpdate.shape.permissions,
  tier: ApiKeyUpdate.shape.tier,
});

type InstallationRef = { id: number; ifMatch: IfMatch };

export async function changeInstallation(
  ctx: Pick<WriteContext, "env" | "db" | "author">,
  { id, ifMatch, change }: InstallationRef & { change: z.output<typeof InstallationUpdate> },
): Promise<InstallationRow> {
  const before = await requireInstallation(ctx.db, id);
  await changeKey(ctx, { before, change, ifMatch });
  await nudgeWebhooks(ctx, id);
  return requireInstallation(ctx.db, id);
}

/** Ends the tokens of an installation everywhere. Its webhooks get the event that tells the app, and nothing else. */
export async function removeInstallation(
  ctx: Pick<WriteContext, "env" | "db" | "author">,
  { id, ifMatch }: InstallationRef,
): Promise<void> {
  const before = await requireInstallation(ctx.db, id);
  await revokeKey(ctx, { before, ifMatch });
  await nudgeWebhooks(ctx, id);
}

/** Users whose limiters are told of an ended session. Those of others notice it within a minute. */
const MOST_TOLD = 500;

/** Refuses an app from now on and ends all that it holds. A registration is deleted by this. */
export async function blockApp(ctx: Pick<WriteContext, "env" | "db" | "author">, id: number): Promise<void> {
  const { env, db, author } = ctx;
  await decideOn(ctx, { id, action: "block", deletedAt: author.now, from: isNull(apps.deletedAt) });
  const removed = await db
    .select({ id: apiKeys.id, start: apiKeys.start })
    .from(apiKeys)
    .where(and(eq(apiKeys.appId, id), eq(apiKeys.revokedAt, author.now)));
  // A session that was not refreshed for the lifetime of an access token has none.
  const isInUse = gt(sessions.lastUsedAt, author.now - ACCESS_TOKEN_MS);
  const disconnected = await db
    .selectDistinct({ userId: sessions.userId })
    .from(sessions)
    .where(and(eq(sessions.appId, id), eq(sessions.endedAt, author.now), isInUse))
    .limit(MOST_TOLD);
  await Promise.all([
    ...removed.flatMap((key) => [forgetApiKey(env, key.start), nudgeWebhooks(ctx, key.id)]),
    ...disconnected.map(({ userId }) => forgetUser(env, userId)),
  ]);
}

/** Admits a blocked app that describes itself, which must be installed or connected again. */
export const unblockApp = (ctx: AuthorContext, id: number): Promise<void> =>
  decideOn(ctx, {
    id,
    action: "unblock",
    deletedAt: null,
    from: and(isNull(apps.publisher), isNotNull(apps.deletedAt)),
  });

async function decideOn(
  ctx: AuthorContext,
  { id, action, deletedAt, from }: { id: number; action: string; deletedAt: number | null; from: SQL | undefined },
): Promise<void> {
  requireFresh(ctx.author);
  const writes = [
    precondition(sql`EXISTS (SELECT 1 FROM apps WHERE ${and(eq(apps.id, id), from)})`),
    updateRows(apps, { deletedAt, updatedAt: ctx.author.now }, eq(apps.id, id)),
    auditEntry(ctx, { action, subject: "app", id }),
  ];
  await translateViolations(runAll(ctx.db, writes), { row_changed: () => notFound(`App ${id}`) });
}

async function nudgeWebhooks({ env, db }: Pick<WriteContext, "env" | "db">, id: number): Promise<void> {
  const owned = await db.select().from(webhookEndpoints).where(eq(webhookEndpoints.installationId, id));
  await Promise.all(owned.map((endpoint) => nudge(env, endpoint)));
}
