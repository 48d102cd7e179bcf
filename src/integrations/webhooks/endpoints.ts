import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { conflict, fieldError } from "../../domain/errors.ts";
import { type EventType, eventTypeNames, matchingTypes, nounOf } from "../../domain/event-types.ts";
import { line } from "../../domain/fields.ts";
import { limits } from "../../domain/limits.ts";
import { auditedState, declareFields } from "../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type ApiKeyCaller, type AuthorContext, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import { apiKeys, events, type PauseReason, webhookEndpoints } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import type { PageQuery } from "../../platform/http/pagination.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { reseal } from "../../platform/queues/reseal.ts";
import type { Secrets } from "../../platform/settings/settings.ts";
import { mayReadWith, readableTypes } from "../events/public.ts";
import { webhookPurpose } from "./secrets.ts";

/** Types that are sent to the endpoint, or to those of the app, that they are about, whatever its subscriptions. */
const personal: readonly EventType[] = ["webhook.test", "app.uninstalled"];

/** Types that endpoints can subscribe to. */
const subscribable = eventTypeNames.filter((type) => !personal.includes(type));

/** Event types by noun, with the wildcard for each. */
export const patternsByNoun = [...new Set(subscribable.map(nounOf))].map((noun) => ({
  noun,
  all: `${noun}.*`,
  types: subscribable.filter((type) => nounOf(type) === noun),
}));

/** Subscription patterns: everything, all types of a noun, or one type. */
export const typePatterns = ["*", ...patternsByNoun.flatMap(({ all, types }) => [all, ...types])];

/** True if a pattern of the list includes the type or another pattern. */
const isIncluded = (name: string, patterns: readonly string[]): boolean =>
  ["*", `${nounOf(name)}.*`].some((pattern) => pattern !== name && patterns.includes(pattern));

/** Patterns with everything that they include. */
export const withIncluded = (patterns: readonly string[]): string[] =>
  typePatterns.filter((name) => patterns.includes(name) || isIncluded(name, patterns));

/**
 * Types in the order of the vocabulary, without duplicates and without those included in a wildcard, in any order sent.
 */
const Types = z
  .array(z.enum(typePatterns))
  .max(100)
  .transform((sent) => typePatterns.filter((name) => sent.includes(name) && !isIncluded(name, sent)))
  .describe(
    "Event types to deliver. `order.*` selects all types of a resource, `*` all types. An empty list delivers test events only",
  );

export type WebhookState = Pick<typeof webhookEndpoints.$inferSelect, "url" | "types" | "description" | "enabled">;

/** The fields of an endpoint that administrators edit. */
export const webhookFields = declareFields<WebhookState>()({
  url: {
    schema: line(2_000).describe("An https address. Private addresses and addresses of this shop are rejected"),
    input: { as: "url", placeholder: "https://example.com/webhooks", hint: "A public https:// address." },
  },
  types: {
    schema: Types,
    input: { as: "choices", label: "Events", hint: "If none is chosen, only test events are sent.", options: [] },
  },
  description: { schema: line(200).nullable(), input: { hint: "What the webhook is for." } },
  enabled: {
    schema: z.boolean(),
    initial: true,
    input: { hint: "Events that occur while it is disabled are sent once it is enabled again." },
  },
});

/** Id of the message that delivers an event, sent in the `webhook-id` header. It is not the id of the webhook. */
export const messageIdOf = (eventId: number): string => `evt_${eventId}`;

/** Returns the types that patterns have in common with those that an endpoint subscribes to. */
export const subscribedTypes = (endpoint: WebhookState, patterns: readonly string[]): EventType[] => {
  const chosen = typesOf(patterns);
  return typesOf(endpoint.types).filter((type) => chosen.includes(type));
};

/** Returns the types sent to an endpoint with these patterns. */
export const typesSentTo = (patterns: readonly string[]): EventType[] => [...typesOf(patterns), ...personal];

/** Expands patterns into event types. Wildcards include types added later. */
export const typesOf = (patterns: readonly string[]): EventType[] => matchingTypes(patterns, subscribable);

export type WebhookRow = typeof webhookEndpoints.$inferSelect;

/** The requesting caller. Endpoints that are sent events the caller may not read are hidden. */
type Reader = { db: Database; caller: UserCaller | ApiKeyCaller };

/** Lists the endpoints that the caller can access, newest first. */
export function listWebhooks({ db, caller }: Reader, query: PageQuery) {
  const where = accessibleTo(caller);
  const newestFirst = desc(webhookEndpoints.id);
  const rows = db.select().from(webhookEndpoints).where(where).orderBy(newestFirst);
  return readPage(db, query, rows, webhookEndpoints, where);
}

export const findAccessibleWebhook = ({ db, caller }: Reader, id: number): Promise<WebhookRow | undefined> =>
  db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), accessibleTo(caller)))
    .get();

/** The address that is requested for a URL: its host in lower case, without the default port, `.` in the path and the fragment. */
function requestedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + search;
}

/** The endpoints with an address, however it is written, that the caller can access. */
export async function findWebhooksAt({ db, caller }: Reader, url: string): Promise<WebhookRow[]> {
  if (!URL.canParse(url)) return [];
  const all = await db.select().from(webhookEndpoints).where(accessibleTo(caller)).all();
  return all.filter((endpoint) => requestedUrl(endpoint.url) === requestedUrl(url));
}

/** The endpoint as deliveries see it: that of an app has the types that the app may read now, and none once it is removed. */
export async function findWebhook(db: Database, id: number): Promise<WebhookRow | undefined> {
  const found = await db
    .select({ row: webhookEndpoints, permissions: apiKeys.permissions, removedAt: apiKeys.revokedAt })
    .from(webhookEndpoints)
    .leftJoin(apiKeys, eq(apiKeys.id, webhookEndpoints.installationId))
    .where(eq(webhookEndpoints.id, id))
    .get();
  if (!found || found.permissions === null) return found?.row;
  const granted = found.removedAt === null ? found.permissions : [];
  return { ...found.row, types: typesOf(found.row.types).filter((type) => mayReadWith(granted, type)) };
}

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

type NewEndpoint = WebhookState &
  Pick<WebhookRow, "key" | "sealed" | "sealedUnder" | "accountScope" | "installationId">;

/** Creates an endpoint that is sent events from now on. */
export const newWebhook = (row: NewEndpoint, secret: string): Creation<AuditedWebhook> => ({
  row: { ...row, startsAfter: newestEvent },
  where: sql`key = ${row.key}`,
  state: row,
  secret: { secret },
});

/** Inserts a test event and returns its id. */
export async function insertTest(ctx: AuthorContext, { id }: WebhookRow): Promise<{ id: number } | null> {
  const event = { subject: `webhook:${id}`, data: { webhook_id: id }, createdAt: ctx.author.now };
  const writes = [
    insertSelected(events, { type: "webhook.test", ...event }),
    auditEntry(ctx, { action: "test", subject: "webhook", id }),
  ];
  return writeOnce(ctx, { writes, answer: sql`json_object('id', ${newestEvent})` });
}

/** Audits an action by the endpoint's object, and stores the response for its Idempotency-Key. */
export async function insertAction(
  ctx: AuthorContext,
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

/** Finds the enabled endpoints and the newest event. */
export const findToNudge = (db: Database) =>
  db
    .select({ id: webhookEndpoints.id, key: webhookEndpoints.key, newestEvent: newestEvent.mapWith(Number) })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.enabled, true));

/**
 * Limits to endpoints that are sent only events the caller may read. An administrator's endpoint is also sent events about
 * staff, so only administrators see it. An app sees its own, and nobody those of a removed app.
 */
function accessibleTo(caller: UserCaller | ApiKeyCaller): SQL {
  const isApp = caller.kind === "api_key" && caller.isApp;
  const readable = new Set(readableTypes(caller));
  const patterns = typePatterns.filter((pattern) => typesOf([pattern]).every((type) => readable.has(type)));
  const { types, accountScope, installationId } = webhookEndpoints;
  const ofApp = isApp ? sql`${installationId} = ${caller.id}` : sql`TRUE`;
  return sql`${ofApp} AND NOT EXISTS (SELECT 1 FROM ${apiKeys} WHERE id = ${installationId} AND revoked_at IS NOT NULL) AND (${accountScope} = 'customers' OR ${accountScopeOf(caller) === "everybody"})
    AND NOT EXISTS (SELECT 1 FROM json_each(${types})
      WHERE value NOT IN (SELECT value FROM json_each(${JSON.stringify(patterns)})))`;
}

export const resealWebhookSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  reseal(db, secrets, now, {
    queue: "seal_webhook_secrets",
    id: webhookEndpoints.id,
    nameColumn: webhookEndpoints.key,
    purposeOf: webhookPurpose,
  });
