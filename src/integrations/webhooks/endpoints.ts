import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { conflict, fieldError } from "../../domain/errors.ts";
import { limits } from "../../domain/limits.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import { isSealedUnderOlder } from "../../platform/auth/seal.ts";
import type { WriteContext } from "../../platform/auth/write-context.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import { events, type PauseReason, webhookEndpoints } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import { limitAndOffset, type PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { isFree } from "../../platform/queues/failed-items.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import type { Secrets } from "../../platform/settings/settings.ts";
import { readableTypes } from "../events/public.ts";
import { typePatterns, typesOf, type WebhookState, webhookFields } from "./fields.ts";
import { sealSecrets, unsealSecrets } from "./secrets.ts";

export type WebhookRow = typeof webhookEndpoints.$inferSelect;

/** The requesting caller. Endpoints that are sent events the caller may not read are hidden. */
type Reader = { db: Database; caller: UserCaller | ApiKeyCaller };

/** Lists the endpoints that the caller can access, newest first. */
export function listWebhooks({ db, caller }: Reader, query: PageQuery) {
  const { limit, offset } = limitAndOffset(query);
  const where = accessibleTo(caller);
  const newestFirst = desc(webhookEndpoints.id);
  const rows = db.select().from(webhookEndpoints).where(where).orderBy(newestFirst).limit(limit).offset(offset);
  return readPage(db, rows, webhookEndpoints, where);
}

export const findAccessibleWebhook = ({ db, caller }: Reader, id: number): Promise<WebhookRow | undefined> =>
  db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), accessibleTo(caller)))
    .get();

export const findWebhook = (db: Database, id: number): Promise<WebhookRow | undefined> =>
  db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id)).get();

type AuditedWebhook = WebhookState & { pauseReason?: PauseReason | null };

export const auditedWebhooks: AuditedTable<WebhookRow, AuditedWebhook> = {
  table: webhookEndpoints,
  name: "webhook_endpoints",
  subject: "webhook",
  json: jsonRow<WebhookRow>(getTableColumns(webhookEndpoints)),
  audited: ({ pauseReason, ...state }) => ({
    ...auditedState(webhookFields, state),
    ...(pauseReason !== undefined && { pause_reason: pauseReason }),
  }),
  refusals: {
    too_many_webhooks: () =>
      conflict(
        "too_many_webhooks",
        `There are ${limits.WEBHOOKS} webhooks, the maximum`,
        fieldError("body", "too_many_webhooks", "exceeds the maximum", { limit: limits.WEBHOOKS }),
      ),
  },
};

const newestEvent = sql`(SELECT coalesce(max(id), 0) FROM events)`;

type NewEndpoint = WebhookState & Pick<WebhookRow, "key" | "sealed" | "sealedUnder" | "accountScope">;

/** Creates an endpoint that is sent events from now on. */
export const newWebhook = (row: NewEndpoint, secret: string): Creation<AuditedWebhook> => ({
  row: { ...row, startsAfter: newestEvent },
  where: sql`key = ${row.key}`,
  state: row,
  secret: { secret },
});

/** Inserts a test event and returns its id. */
export async function insertTest(
  ctx: Pick<WriteContext, "db" | "author">,
  { id }: WebhookRow,
): Promise<{ id: number } | null> {
  const event = { subject: `webhook:${id}`, data: { webhook_id: id }, createdAt: ctx.author.now };
  const writes = [
    insertSelected(events, { type: "webhook.test", ...event }),
    auditEntry(ctx, { action: "test", subject: "webhook", id }),
  ];
  return writeOnce(ctx, { writes, answer: sql`json_object('id', ${newestEvent})` });
}

/** Audits an action by the endpoint's object, and stores the response for its Idempotency-Key. */
export async function insertAction(
  ctx: Pick<WriteContext, "db" | "author">,
  { endpoint, action, details }: { endpoint: WebhookRow; action: string; details: Record<string, unknown> },
): Promise<void> {
  const entry = auditEntry(ctx, { action, subject: "webhook", id: endpoint.id, after: details });
  await writeOnce(ctx, { writes: [entry], answer: sql`json_object()` });
}

/** Maximum delay with which an event may be committed after events with later timestamps. */
export const OUT_OF_ORDER_MS = 10 * 60_000;

/**
 * Returns an id before which all events are older than `moment`. Uses binary search, because timestamps have no index.
 */
export async function idBefore(db: Database, moment: number): Promise<number> {
  const middle = sql`((low + high + 1) / 2)`;
  const isOlder = sql`(SELECT created_at FROM events WHERE id >= ${middle} ORDER BY id LIMIT 1) < ${moment - OUT_OF_ORDER_MS}`;
  const [found] = await db.all<{ low: number }>(sql`
    WITH RECURSIVE halves (low, high) AS (
      SELECT coalesce(min(id) - 1, 0), coalesce(max(id), 0) FROM events
      UNION ALL
      SELECT iif(${isOlder}, ${middle}, low), iif(${isOlder}, high, ${middle} - 1) FROM halves WHERE low < high
    )
    SELECT max(low) AS low FROM halves`);
  return found?.low ?? 0;
}

/** Finds the enabled endpoints and the newest event. With `now`, leaves out endpoints in backoff. */
export async function findToNudge(db: Database, now?: number) {
  const endpoints = await db
    .select({ id: webhookEndpoints.id, key: webhookEndpoints.key, newestEvent: newestEvent.mapWith(Number) })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.enabled, true),
        now === undefined ? undefined : isFree("nudge_webhooks", webhookEndpoints.id, now),
      ),
    );
  return endpoints;
}

const findSealedUnderOlder = (db: Database, secrets: Secrets, now: number): Promise<WebhookRow[]> =>
  db
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        isSealedUnderOlder(webhookEndpoints.sealedUnder, secrets),
        isFree("seal_webhook_secrets", webhookEndpoints.id, now),
      ),
    );

const replaceSealed = (db: Database, before: WebhookRow, after: Pick<WebhookRow, "sealed" | "sealedUnder">) =>
  db
    .update(webhookEndpoints)
    .set(after)
    .where(and(eq(webhookEndpoints.id, before.id), eq(webhookEndpoints.sealed, before.sealed)));

/**
 * Limits to endpoints that are sent only events the caller may read. An administrator's endpoint is also sent events about
 * staff, so only administrators see it.
 */
function accessibleTo(caller: UserCaller | ApiKeyCaller): SQL {
  const readable = new Set(readableTypes(caller));
  const patterns = typePatterns.filter((pattern) => typesOf([pattern]).every((type) => readable.has(type)));
  const { types, accountScope } = webhookEndpoints;
  return sql`(${accountScope} = 'customers' OR ${accountScopeOf(caller) === "everybody"})
    AND NOT EXISTS (SELECT 1 FROM json_each(${types})
      WHERE value NOT IN (SELECT value FROM json_each(${JSON.stringify(patterns)})))`;
}

/** Encrypts the secrets of endpoints under the deployment's newest secret, so that an older one can be dropped. */
export const resealWebhookSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "seal_webhook_secrets",
    find: () => findSealedUnderOlder(db, secrets, now),
    idOf: ({ id }) => id,
    run: async (row) => replaceSealed(db, row, sealSecrets(secrets, row.key, unsealSecrets(secrets, row))),
  });
