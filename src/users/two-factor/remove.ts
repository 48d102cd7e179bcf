import type { Author } from "../../auth/author.ts";
import type { UserCaller } from "../../auth/caller.ts";
import { requireFresh } from "../../auth/reauthentication.ts";
import { forgetUser } from "../../auth/users/limiter.ts";
import { type Database, runAll } from "../../db/client.ts";
import { translateViolations } from "../../db/violation.ts";
import { conflict } from "../../errors.ts";
import type { Settings } from "../../settings/settings.ts";
import { requireAccount } from "../write.ts";
import { notEnabled } from "./errors.ts";
import { removeFactor } from "./remove-queries.ts";

type Removing = { env: Env; db: Database; settings: Settings; caller: UserCaller; author: Author };

/** For somebody who has lost the app and the recovery codes: the password alone is enough to sign in afterwards. */
export async function removeTwoFactor({ env, db, settings, caller, author }: Removing, id: number): Promise<void> {
  requireFresh(author);
  if (id === caller.id) {
    throw conflict("own_two_factor", "Disable your own second factor with a code, or ask another administrator");
  }
  await requireAccount(db, { id, scope: "everybody" });
  const removed = runAll(db, removeFactor(settings.linkSecrets, id, author));
  await translateViolations(removed, { row_changed: notEnabled });
  await forgetUser(env, id);
}
