import { insertEntry } from "../../../platform/audit/audit.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { logFault } from "../../../platform/http/log.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import type { OwnRequest } from "../own-request.ts";
import { hashRecoveryCode, stepOf, unsealTotp } from "./codes.ts";
import { type Factor, findFactor, isStill, notEnabled, spendRecoveryCode, spendStep, wrongCode } from "./two-factor.ts";

/** Returns the statement that spends a code, for the batch that the code authorizes. Null if the code is wrong or used. */
export async function proveFactor(secrets: Secrets, factor: Factor, code: string, now: number) {
  if (factor.confirmedAt === null) return null;
  const step = await stepOfFactor(secrets, factor, code, now);
  if (step !== null) return step > factor.lastStep ? spendStep(factor.userId, step) : null;
  return factor.recoveryCode ? spendRecoveryCode(factor.userId, hashRecoveryCode(code), now) : null;
}

/**
 * Returns the time step of a code from the user's app. Without the secret that encrypts the factor, only recovery codes work.
 */
export async function stepOfFactor(secrets: Secrets, { userId, sealed }: Factor, code: string, now: number) {
  try {
    return await stepOf(unsealTotp(secrets, userId, sealed), code.replaceAll(/\s/g, ""), now);
  } catch (error) {
    logFault("the secret of a second factor could not be opened", error);
    return null;
  }
}

/** Returns the first statements of a batch that a valid code authorizes. Wrong codes count toward the login limit. */
export async function spendCode(request: OwnRequest, code: string) {
  const { env, db, settings, caller, origin, author } = request;
  const factor = await findFactor(db, caller.id, hashRecoveryCode(code));
  if (!factor || factor.confirmedAt === null) throw notEnabled();
  await takeLoginAttempt(env, factor.user.email, origin);
  const spend = await proveFactor(settings.linkSecrets, factor, code, author.now);
  if (!spend) {
    if (isStaff(caller.role))
      await insertEntry({ db, author }, { action: "code_refused", subject: "user", id: caller.id });
    throw wrongCode();
  }
  await loginSucceeded(env, factor.user.email, origin);
  return [isStill(factor), spend] as const;
}
