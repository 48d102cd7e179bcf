import { badRequest, conflict, fieldError, requireFound } from "../../domain/errors.ts";
import { isoOrNull } from "../../domain/fields.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation, applyDeletion } from "../../platform/administration/write-queries.ts";
import {
  type ApiKeyCaller,
  accountScopeOf,
  requireFresh,
  type UserCaller,
  type WriteContext,
} from "../../platform/auth/caller.ts";
import { requireRow } from "../../platform/db/client.ts";
import { merge } from "../../platform/db/statements.ts";
import { logFault } from "../../platform/http/log.ts";
import { refusalOf } from "../../platform/http/outbound.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import { requireReadable } from "../events/public.ts";
import type { SecretRotation, WebhookCreate, WebhookUpdate, WebhookWithSecret } from "./admin-schemas.ts";
import {
  auditedWebhooks,
  findAccessibleWebhook,
  findWebhooksAt,
  insertTest,
  newWebhook,
  typesOf,
  type WebhookRow,
  webhookFields,
} from "./endpoints.ts";
import { expectEndpoints, nudge } from "./nudge.ts";
import { newSecret, sealSecrets, unsealSecrets } from "./secrets.ts";

// Writes of webhook endpoints. The endpoint's object is notified after each write and otherwise notices within a minute, so
// no write depends on it.

/** The context of a write by a caller who may administer webhooks. */
export type WebhookContext = WriteContext<UserCaller | ApiKeyCaller>;

/** The host of the request, which also belongs to this shop. */
type WithHost = { host: string };

export const hostOf = (c: { req: { url: string } }): string => new URL(c.req.url).hostname;

export async function createWebhook(ctx: WebhookContext & WithHost, sent: WebhookCreate): Promise<WebhookWithSecret> {
  const { env, settings, caller } = ctx;
  requireFresh(ctx.author);
  const row = newRow(webhookFields, sent, {});
  requireReadable(caller, typesOf(row.types));
  await refuseSecond(ctx, row);
  await requireAddress(ctx, row.url);
  const [key, secret] = [crypto.randomUUID(), newSecret()];
  const sealed = sealSecrets(settings.linkSecrets, key, { current: secret, previous: null });
  const installationId = caller.kind === "api_key" && caller.isApp ? caller.id : null;
  const endpoint = { ...row, key, ...sealed, accountScope: accountScopeOf(caller), installationId };
  const created = await applyCreation(ctx, { target: auditedWebhooks, ...newWebhook(endpoint, secret) });
  expectEndpoints();
  await nudge(env, created);
  return { ...created, secret };
}

/** Refuses an endpoint that would be sent events twice. Endpoints with one address may have different events. */
async function refuseSecond(
  ctx: Pick<WebhookContext, "db" | "caller">,
  { id, url, types }: { id?: number; url: string; types: readonly string[] },
): Promise<void> {
  const wanted = new Set(typesOf(types));
  for (const other of await findWebhooksAt(ctx, url)) {
    const shared = other.id !== id && typesOf(other.types).find((type) => wanted.has(type));
    if (!shared) continue;
    throw badRequest(
      fieldError("url", "url_taken", `is the address of webhook ${other.id}, which already receives ${shared}`),
    );
  }
}

export async function changeWebhook(
  ctx: WebhookContext & WithHost,
  { id, change, ifMatch }: { id: number; change: WebhookUpdate; ifMatch: IfMatch },
): Promise<WebhookRow> {
  requireFresh(ctx.author);
  const before = await requireWebhook(ctx, id);
  const decide = async () => {
    const columns = toColumns(webhookFields, change);
    const after = merge<WebhookRow>(before, columns);
    requireReadable(ctx.caller, typesOf(after.types));
    if (change.url !== undefined || change.types !== undefined) await refuseSecond(ctx, after);
    if (change.url !== undefined) await requireAddress(ctx, change.url);
    return { columns: { ...columns, ...(change.enabled !== undefined && { pauseReason: null }) } };
  };
  const changed = await applyChange(ctx, { target: auditedWebhooks, action: "update", before, ifMatch, decide });
  expectEndpoints();
  await nudge(ctx.env, changed);
  return changed;
}

export async function removeWebhook(
  ctx: Pick<WebhookContext, "env" | "db" | "caller" | "author">,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
): Promise<void> {
  requireFresh(ctx.author);
  const before = await requireWebhook(ctx, id);
  await applyDeletion(ctx, { target: auditedWebhooks, before, ifMatch });
  await nudge(ctx.env, before);
}

/**
 * Replaces the signing secret. The previous one also signs during the grace period; one already in its grace period ends.
 * Anyone with a secret can forge events.
 */
export async function rotateSecret(
  ctx: Pick<WebhookContext, "db" | "caller" | "settings" | "author">,
  { id, grace_seconds, ifMatch }: SecretRotation & { id: number; ifMatch: IfMatch },
): Promise<WebhookWithSecret> {
  const { author } = ctx;
  const { linkSecrets } = ctx.settings;
  requireFresh(author);
  const before = await requireWebhook(ctx, id);
  const secret = newSecret();
  const decide = () => {
    const { current } = unsealSecrets(linkSecrets, before);
    const previous = grace_seconds === 0 ? null : current;
    const previousExpiresAt = previous === null ? null : author.now + grace_seconds * 1000;
    const sealed = sealSecrets(linkSecrets, before.key, { current: secret, previous });
    const details = { previous_secret_expires_at: isoOrNull(previousExpiresAt) };
    return { columns: { ...sealed, previousExpiresAt }, details, secret: { secret } };
  };
  const row = await applyChange(ctx, { target: auditedWebhooks, action: "rotate", before, ifMatch, decide });
  return { ...row, secret };
}

/** Creates a test event for this endpoint alone, delivered like any other. */
export async function sendTest(
  ctx: Pick<WebhookContext, "env" | "db" | "caller" | "author">,
  id: number,
): Promise<{ id: number }> {
  const endpoint = requireEnabled(await requireWebhook(ctx, id));
  const event = await insertTest(ctx, endpoint);
  await nudge(ctx.env, endpoint);
  return requireRow(event);
}

/** Returns the endpoint if the caller can access it, otherwise throws not found. */
export const requireWebhook = (reader: Pick<WebhookContext, "db" | "caller">, id: number): Promise<WebhookRow> =>
  requireFound(findAccessibleWebhook(reader, id), `Webhook ${id}`);

export function requireEnabled(endpoint: WebhookRow): WebhookRow {
  if (!endpoint.enabled) throw conflict("webhook_disabled", "The webhook is disabled. Enable it first");
  return endpoint;
}

/** A name that does not resolve now may do so later: each attempt resolves it again. */
async function requireAddress(
  { settings, host }: Pick<WebhookContext, "settings"> & WithHost,
  url: string,
): Promise<void> {
  const { webhooks } = settings;
  const resolver = { ...webhooks, ownHosts: [...webhooks.ownHosts, host] };
  const refusal = await refusalOf(url, resolver).catch((error: unknown) => {
    logFault("webhook host not resolved", error);
    return null;
  });
  if (refusal !== null) throw badRequest(fieldError("url", "invalid", refusal));
}
