import { applyChange } from "../../../platform/administration/write-queries.ts";
import { connect, type Database } from "../../../platform/db/client.ts";
import type { PauseReason } from "../../../platform/db/schema.ts";
import { queueForAdministrators } from "../../../platform/email/switches.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { auditedWebhooks, findWebhook, typesSentTo, type WebhookRow } from "../endpoints.ts";
import { openSecrets } from "../secrets.ts";
import type { Endpoint } from "./loop.ts";
import { pullEvents } from "./replays.ts";
import { attemptDelivery } from "./send.ts";

/** A webhook, which is sent the events that it subscribes to. */
export async function findWebhookEndpoint(env: Env, id: number): Promise<Endpoint | undefined> {
  const db = connect(env.DB);
  const row = await findWebhook(db, id);
  return (
    row && {
      enabled: row.enabled,
      updatedAt: row.updatedAt,
      types: typesSentTo(row.types),
      pull: (store) => pullEvents(db, store, row),
      attempt: async (delivery, check) => {
        const secrets = openSecrets(readSettings(env).linkSecrets, row, Date.now());
        return attemptDelivery({ url: row.url, secrets }, delivery, check);
      },
      pause: (reason) => pauseWebhook(db, row, reason),
    }
  );
}

/** Disables a webhook and notifies every administrator, unless it was changed in the meantime. Its cursor is kept. */
async function pauseWebhook(db: Database, webhook: WebhookRow, reason: PauseReason): Promise<void> {
  const now = Date.now();
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  const decide = () => ({
    columns: { enabled: false, pauseReason: reason },
    statements: [queueForAdministrators("webhook_paused", { url: webhook.url, reason }, now)],
  });
  const pause = { target: auditedWebhooks, action: "pause", before: webhook, ifMatch: {}, decide };
  await applyChange({ db, author }, pause);
}
