import { badRequest, conflict, fieldError, notFound } from "../../domain/errors.ts";
import { isoOrNull } from "../../domain/fields.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation, applyDeletion } from "../../platform/administration/write-queries.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller } from "../../platform/auth/caller.ts";
import { requireFresh } from "../../platform/auth/reauthentication.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { merge } from "../../platform/db/precondition.ts";
import { logFault } from "../../platform/http/log.ts";
import { refusalOf } from "../../platform/http/outbound.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { requireReadable } from "../events/public.ts";
import type { NewWebhook, SecretRotation, WebhookChange, WebhookWithSecret } from "./admin-schemas.ts";
import { auditedWebhooks, findAccessibleWebhook, insertTest, newWebhook, type WebhookRow } from "./endpoints.ts";
import { typesOf, webhookFields } from "./fields.ts";
import { expectEndpoints, nudge } from "./nudge.ts";
import { newSecret, sealSecrets, unsealSecrets } from "./secrets.ts";

// Writes of webhook endpoints. The endpoint's object is notified after each write and otherwise notices within a minute, so
// no write depends on it.

/** Dependencies of endpoint writes: the caller, the request's host, and the object to notify. */
export type WebhookContext = {
  db: Database;
  env: Env;
  settings: Settings;
  caller: UserCaller | ApiKeyCaller;
  /** Host of the request, which also belongs to this shop. */
  host: string;
};

export const webhookContextOf = (c: {
  env: Env;
  req: { url: string };
  var: { db: Database; settings: Settings; caller: UserCaller | ApiKeyCaller };
}): WebhookContext => ({ env: c.env, host: new URL(c.req.url).hostname, ...c.var });

export async function createWebhook(
  context: WebhookContext,
  sent: NewWebhook,
  author: Author,
): Promise<WebhookWithSecret> {
  requireFresh(author);
  const { db, env, settings, caller } = context;
  const row = newRow(webhookFields, sent, {});
  requireReadable(caller, typesOf(row.types));
  await requireAddress(context, row.url);
  const [key, secret] = [crypto.randomUUID(), newSecret()];
  const sealed = sealSecrets(settings.linkSecrets, key, { current: secret, previous: null });
  const endpoint = { ...row, key, ...sealed, accountScope: accountScopeOf(caller) };
  const created = await applyCreation({ db, author }, { target: auditedWebhooks, ...newWebhook(endpoint, secret) });
  expectEndpoints();
  await nudge(env, created);
  return { ...created, secret };
}

export async function changeWebhook(
  context: WebhookContext,
  id: number,
  sent: WebhookChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<WebhookRow> {
  requireFresh(author);
  const { db, env, caller } = context;
  const before = await requireWebhook(context, id);
  const decide = async () => {
    const columns = toColumns(webhookFields, sent);
    requireReadable(caller, typesOf(merge<WebhookRow>(before, columns).types));
    if (sent.url !== undefined) await requireAddress(context, sent.url);
    return { columns: { ...columns, ...(sent.enabled !== undefined && { pauseReason: null }) } };
  };
  const changed = await applyChange(
    { db, author },
    { target: auditedWebhooks, action: "update", before, ifMatch, decide },
  );
  expectEndpoints();
  await nudge(env, changed);
  return changed;
}

export async function removeWebhook(
  context: WebhookContext,
  id: number,
  ifMatch: IfMatch,
  author: Author,
): Promise<void> {
  requireFresh(author);
  const { db, env } = context;
  const before = await requireWebhook(context, id);
  await applyDeletion({ db, author }, { target: auditedWebhooks, before, ifMatch });
  await nudge(env, before);
}

/**
 * Replaces the signing secret. The previous one also signs during the grace period; one already in its grace period ends.
 * Anyone with a secret can forge events.
 */
export async function rotateSecret(
  context: WebhookContext,
  id: number,
  { grace_seconds }: SecretRotation,
  ifMatch: IfMatch,
  author: Author,
): Promise<WebhookWithSecret> {
  requireFresh(author);
  const { db, settings } = context;
  const { linkSecrets } = settings;
  const before = await requireWebhook(context, id);
  const secret = newSecret();
  const decide = () => {
    const { current } = unsealSecrets(linkSecrets, before);
    const previous = grace_seconds === 0 ? null : current;
    const previousExpiresAt = previous === null ? null : author.now + grace_seconds * 1000;
    const sealed = sealSecrets(linkSecrets, before.key, { current: secret, previous });
    const details = { previous_secret_expires_at: isoOrNull(previousExpiresAt) };
    return { columns: { ...sealed, previousExpiresAt }, details, secret: { secret } };
  };
  const row = await applyChange({ db, author }, { target: auditedWebhooks, action: "rotate", before, ifMatch, decide });
  return { ...row, secret };
}

/** Creates a test event for this endpoint alone, delivered like any other. */
export async function sendTest(context: WebhookContext, id: number, author: Author): Promise<{ id: number }> {
  const { db, env } = context;
  const endpoint = requireEnabled(await requireWebhook(context, id));
  const event = await insertTest(db, endpoint, author);
  await nudge(env, endpoint);
  return requireRow(event);
}

/** Returns the endpoint if the caller can access it, otherwise throws not found. */
export async function requireWebhook(reader: Pick<WebhookContext, "db" | "caller">, id: number): Promise<WebhookRow> {
  const row = await findAccessibleWebhook(reader, id);
  if (!row) throw notFound(`Webhook ${id}`);
  return row;
}

export function requireEnabled(endpoint: WebhookRow): WebhookRow {
  if (!endpoint.enabled) throw conflict("webhook_disabled", "The webhook is disabled. Enable it first");
  return endpoint;
}

/** A name that does not resolve now may do so later: each attempt resolves it again. */
async function requireAddress({ settings, host }: WebhookContext, url: string): Promise<void> {
  const { webhooks } = settings;
  const resolver = { ...webhooks, ownHosts: [...webhooks.ownHosts, host] };
  const refusal = await refusalOf(url, resolver).catch((error: unknown) => {
    logFault("the name of a webhook's address could not be resolved", error);
    return null;
  });
  if (refusal !== null) throw badRequest(fieldError("url", "invalid", refusal));
}
