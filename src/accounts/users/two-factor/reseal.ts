import type { Database } from "../../../platform/db/client.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { findSealedUnderOlder, replaceSealed } from "./queries.ts";
import { sealTotp, unsealTotp } from "./totp.ts";

/** How many are sealed anew in one run. */
const MOST = 100;

/** Seals the secrets of second factors under the deployment's newest secret, so that an older one can be dropped. */
export async function resealTotpSecrets(db: Database, secrets: Secrets): Promise<void> {
  for (const { userId, sealed } of await findSealedUnderOlder(db, secrets, MOST)) {
    await replaceSealed(db, userId, sealed, sealTotp(secrets, userId, unsealTotp(secrets, userId, sealed)));
  }
}
