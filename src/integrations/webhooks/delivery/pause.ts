import { applyChange } from "../../../platform/administration/write-queries.ts";
import { connect } from "../../../platform/db/client.ts";
import type { PauseReason } from "../../../platform/db/schema.ts";
import { queueForAdministrators } from "../../../platform/email/staff-queries.ts";
import { auditedWebhooks, type WebhookRow } from "../queries.ts";

/** Disables an endpoint and tells every administrator, unless it was changed meanwhile. Its cursor stays where it is. */
export async function pauseEndpoint(env: Env, endpoint: WebhookRow, reason: PauseReason): Promise<void> {
  const [db, now] = [connect(env.DB), Date.now()];
  const author = { actor: "system", address: null, requestId: crypto.randomUUID(), now };
  await applyChange({ db, author, ifMatch: {} }, auditedWebhooks, "pause", endpoint, () => ({
    columns: { enabled: false, pauseReason: reason },
    statements: [queueForAdministrators("webhook_paused", { url: endpoint.url, reason }, now)],
  }));
}
