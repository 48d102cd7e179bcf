import type { Database } from "../../platform/db/client.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import type { Secrets } from "../../platform/settings/settings.ts";
import { findSealedUnderOlder, replaceSealed } from "./queries.ts";
import { sealSecrets, unsealSecrets } from "./secrets.ts";

/** Encrypts the secrets of endpoints under the deployment's newest secret, so that an older one can be dropped. */
export const resealWebhookSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "seal_webhook_secrets",
    find: () => findSealedUnderOlder(db, secrets, now),
    idOf: ({ id }) => id,
    run: async (row) => replaceSealed(db, row, sealSecrets(secrets, row.key, unsealSecrets(secrets, row))),
  });
