import type { Entry } from "../../../platform/audit/entry.ts";
import { insertEntry } from "../../../platform/audit/queries.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import type { OwnRequest } from "../own-request.ts";
import { notEnabled, wrongCode } from "./errors.ts";
import { proveFactor } from "./prove.ts";
import { findFactor, isStill } from "./queries.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";

const codeRefused: Entry = { action: "code_refused", subject: "user", before: null, after: null };

/** The first statements of a batch that a good code allows. Guesses count as those of a login do. */
export async function spendCode(request: OwnRequest, code: string) {
  const { env, db, settings, caller, origin, author } = request;
  const factor = await findFactor(db, caller.id, hashRecoveryCode(code));
  if (!factor || factor.confirmedAt === null) throw notEnabled();
  await takeLoginAttempt(env, factor.user.email, origin);
  const spend = await proveFactor(settings.linkSecrets, factor, code, author.now);
  if (!spend) {
    if (isStaff(caller.role)) await insertEntry(db, author, codeRefused, caller.id);
    throw wrongCode();
  }
  await loginSucceeded(env, factor.user.email, origin);
  return [isStill(factor), spend] as const;
}
