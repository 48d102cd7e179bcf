import { insertEntry } from "../../../platform/audit/audit.ts";
import type { UserCaller, WriteContext } from "../../../platform/auth/caller.ts";
import { loginSucceeded, takeLoginAttempt } from "../../../platform/auth/login-attempts/throttle.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import { logFault } from "../../../platform/http/log.ts";
import type { AccountContext } from "../account-context.ts";
import { hashRecoveryCode, stepOf, unsealTotp } from "./codes.ts";
import { type Factor, findFactor, isStill, notEnabled, spendRecoveryCode, spendStep, wrongCode } from "./two-factor.ts";

/** Returns the statement that spends a code, for the batch that the code authorizes. Null if the code is wrong or used. */
export async function proveFactor(ctx: ProvingContext, { factor, code }: Proof) {
  if (factor.confirmedAt === null) return null;
  const step = await stepOfFactor(ctx, { factor, code });
  const { userId, lastStep, recoveryCode } = factor;
  if (step !== null) return step > lastStep ? spendStep(userId, step) : null;
  return recoveryCode ? spendRecoveryCode(ctx, { userId, hash: hashRecoveryCode(code) }) : null;
}

type ProvingContext = Pick<WriteContext, "settings" | "author">;
type Proof = { factor: Factor; code: string };

/**
 * Returns the time step of a code from the user's app. Without the secret that encrypts the factor, only recovery codes work.
 */
export async function stepOfFactor({ settings, author }: ProvingContext, { factor, code }: Proof) {
  try {
    const secret = unsealTotp(settings.linkSecrets, factor.userId, factor.sealed);
    return await stepOf(secret, code.replaceAll(/\s/g, ""), author.now);
  } catch (error) {
    logFault("second factor secret not decrypted", error);
    return null;
  }
}

/** Returns the first statements of a batch that a valid code authorizes. Wrong codes count toward the login limit. */
export async function spendCode(ctx: AccountContext<UserCaller>, code: string) {
  const { env, db, caller, origin } = ctx;
  const factor = await findFactor(db, caller.id, hashRecoveryCode(code));
  if (!factor || factor.confirmedAt === null) throw notEnabled();
  await takeLoginAttempt(env, factor.user.email, origin);
  const spend = await proveFactor(ctx, { factor, code });
  if (!spend) {
    if (isStaff(caller.role)) await insertEntry(ctx, { action: "code_refused", subject: "user", id: caller.id });
    throw wrongCode();
  }
  await loginSucceeded(env, factor.user.email, origin);
  return [isStill(factor), spend] as const;
}
