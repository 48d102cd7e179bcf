import { logFault } from "../../../platform/http/log.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import { type Factor, spendRecoveryCode, spendStep } from "./queries.ts";
import { hashRecoveryCode } from "./recovery-codes.ts";
import { stepOf, unsealTotp } from "./totp.ts";

/** The statement that spends a code, for the batch that it is shown for; null for one that is wrong or was used. */
export async function proveFactor(secrets: Secrets, factor: Factor, code: string, now: number) {
  if (factor.confirmedAt === null) return null;
  const step = await stepOfFactor(secrets, factor, code, now);
  if (step !== null) return step > factor.lastStep ? spendStep(factor.userId, step) : null;
  return factor.recoveryCode ? spendRecoveryCode(factor.userId, hashRecoveryCode(code), now) : null;
}

/** The time step of a code of the user's app. Without the secret that its own is sealed under only recovery codes are left. */
export async function stepOfFactor(secrets: Secrets, { userId, sealed }: Factor, code: string, now: number) {
  try {
    return await stepOf(unsealTotp(secrets, userId, sealed), code.replaceAll(/\s/g, ""), now);
  } catch (error) {
    logFault("the secret of a second factor could not be opened", error);
    return null;
  }
}
