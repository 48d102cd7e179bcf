import type { Database } from "../../../platform/db/client.ts";
import { workOff } from "../../../platform/queues/work-off.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { findSealedUnderOlder, replaceSealed } from "./queries.ts";
import { sealTotp, unsealTotp } from "./totp.ts";

/** How many are sealed anew in one run. */
const MOST = 100;

/** Seals the secrets of second factors under the deployment's newest secret, so that an older one can be dropped. */
export const resealTotpSecrets = (db: Database, secrets: Secrets, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "seal_second_factors",
    find: () => findSealedUnderOlder(db, secrets, MOST, now),
    idOf: ({ userId }) => userId,
    run: async ({ userId, sealed }) =>
      replaceSealed(db, userId, sealed, sealTotp(secrets, userId, unsealTotp(secrets, userId, sealed))),
  });
