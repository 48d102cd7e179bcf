import type { Database } from "../../platform/db/client.ts";
import type { Secrets } from "../../platform/settings/settings.ts";
import { findSealedUnderOlder, replaceSealed } from "./queries.ts";
import { sealSecrets, unsealSecrets } from "./secrets.ts";

/** Encrypts the secrets of endpoints under the deployment's newest secret, so that an older one can be dropped. */
export async function resealWebhookSecrets(db: Database, secrets: Secrets): Promise<void> {
  for (const row of await findSealedUnderOlder(db, secrets)) {
    await replaceSealed(db, row, sealSecrets(secrets, row.key, unsealSecrets(secrets, row)));
  }
}
