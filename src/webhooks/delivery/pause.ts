import { applyChange } from "../../administration/write-queries.ts";
import { connect } from "../../db/client.ts";
import type { PauseReason } from "../../db/schema.ts";
import { queueEmail } from "../../email/queries.ts";
import { readSettings } from "../../settings/settings.ts";
import { auditedWebhooks, findAdministrators, type WebhookRow } from "../queries.ts";

/** Disables an endpoint and tells every administrator, unless it was changed meanwhile. Its cursor stays where it is. */
export async function pauseEndpoint(env: Env, endpoint: WebhookRow, reason: PauseReason): Promise<void> {
  const [db, now, { linkSecrets }] = [connect(env.DB), Date.now(), readSettings(env)];
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  const administrators = await findAdministrators(db);
  const params = { url: endpoint.url, reason };
  await applyChange({ db, author, ifMatch: {} }, auditedWebhooks, "pause", endpoint, () => ({
    columns: { enabled: false, pauseReason: reason },
    statements: administrators.map(({ id }) =>
      queueEmail(linkSecrets, { template: "webhook_paused", params, userId: id }, now),
    ),
  }));
}
