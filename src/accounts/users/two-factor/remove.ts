import { conflict } from "../../../domain/errors.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { accountScopeOf, type UserCaller } from "../../../platform/auth/caller.ts";
import { requireCredentialsRight } from "../../../platform/auth/credentials-right.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import { type Database, runAll } from "../../../platform/db/client.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import { requireAccount } from "../admin.ts";
import { notEnabled, removeFactor } from "./two-factor.ts";

type Removing = { env: Env; db: Database; settings: Settings; caller: UserCaller; author: Author };

/** Removes the factor of somebody who lost the app and the recovery codes. The password alone then suffices to sign in. */
export async function removeTwoFactor({ env, db, settings, caller, author }: Removing, id: number): Promise<void> {
  requireCredentialsRight(author, accountScopeOf(caller), ["second factor"]);
  if (id === caller.id) {
    throw conflict("own_two_factor", "Disable your own second factor with a code, or ask another administrator");
  }
  await requireAccount(db, { id, scope: "everybody" });
  const removed = runAll(db, removeFactor(settings.linkSecrets, id, author));
  await translateViolations(removed, { row_changed: notEnabled });
  await forgetUser(env, id);
}
