import { conflict } from "../../../domain/errors.ts";
import {
  accountScopeOf,
  requireCredentialsRight,
  type UserCaller,
  type WriteContext,
} from "../../../platform/auth/caller.ts";
import { forgetUser } from "../../../platform/auth/user-limiter.ts";
import { runAll } from "../../../platform/db/client.ts";
import { translateViolations } from "../../../platform/db/statements.ts";
import { readShopName } from "../../../platform/email/emails.ts";
import { onFirstUse } from "../../../platform/http/on-first-use.ts";
import type { AccountContext } from "../account-context.ts";
import { requireAccount } from "../admin.ts";
import { endOtherSessions } from "../sessions/sessions.ts";
import { confirmPassword } from "../sign-in/sign-in.ts";
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, sealTotp, totpUri, unsealTotp } from "./codes.ts";
import { spendCode, stepOfFactor } from "./prove.ts";
import {
  audited,
  confirm,
  deleteFactor,
  factorNotice,
  findFactor,
  insertSecret,
  isStill,
  noFactor,
  notEnabled,
  removeFactor,
  replaceRecoveryCodes,
  writeWithCode,
  wrongCode,
} from "./two-factor.ts";

const unverified = () =>
  conflict("email_not_verified", "Verify your e-mail address first. A second factor requires a verified address");

const enabled = () => conflict("two_factor_enabled", "The account already has a second factor. Disable it first");

/** Starts enrolment and returns what an authenticator app needs. The factor is inactive until a first code confirms it. */
export async function enableTwoFactor(ctx: AccountContext<UserCaller>, password: string) {
  const { db, settings } = ctx;
  const { id, email, emailVerifiedAt } = await confirmPassword(ctx, password);
  if (emailVerifiedAt === null) throw unverified();
  const issuer = await readShopName(db, settings.email);
  const secret = await newTotpSecret();
  const stored = sealTotp(settings.linkSecrets, id, secret);
  await writeWithCode(ctx, { writes: [noFactor(id), insertSecret(ctx, stored)], used: enabled });
  return enrolment(issuer, email, secret);
}

/** Returns the unconfirmed secret, for a page that shows it again. */
export async function pendingEnrolment({ db, settings, caller }: AccountContext<UserCaller>) {
  const factor = await findFactor(db, caller.id, "");
  if (!factor || factor.confirmedAt !== null) throw notEnabled();
  const secret = unsealTotp(settings.linkSecrets, caller.id, factor.sealed);
  return enrolment(await readShopName(db, settings.email), factor.user.email, secret);
}

/** Enables the factor with the app's first code, ends every other session, and returns the recovery codes. */
export async function confirmTwoFactor(ctx: AccountContext<UserCaller>, code: string) {
  const { env, db, settings, caller, author } = ctx;
  const factor = await findFactor(db, caller.id, "");
  if (!factor) throw notEnabled();
  if (factor.confirmedAt !== null) throw enabled();
  const step = await stepOfFactor({ settings, author }, { factor, code });
  if (step === null) throw wrongCode();
  const codes = newRecoveryCodes();
  const writes = [
    isStill(factor),
    confirm(ctx, step),
    ...replaceRecoveryCodes(caller.id, codes.map(hashRecoveryCode)),
    endOtherSessions(ctx).getSQL(),
    ...audited(ctx, "enable_two_factor"),
    factorNotice(ctx, "two_factor_enabled"),
  ];
  const written = writeWithCode(ctx, { writes, used: wrongCode });
  await translateViolations(written, { email_not_verified: unverified });
  await forgetUser(env, caller.id);
  return codes;
}

async function enrolment(issuer: string, email: string, secret: string) {
  const uri = await totpUri(secret, issuer, email);
  return { secret, uri, qr_code: await qrCodeOf(uri) };
}

export async function disableTwoFactor(ctx: AccountContext<UserCaller>, code: string): Promise<void> {
  const writes = [
    ...(await spendCode(ctx, code)),
    ...deleteFactor(ctx.caller.id),
    ...audited(ctx, "disable_two_factor"),
    factorNotice(ctx, "two_factor_disabled"),
  ];
  await writeWithCode(ctx, { writes, used: wrongCode });
  await forgetUser(ctx.env, ctx.caller.id);
}

/** Replaces all recovery codes, used or not. */
export async function regenerateRecoveryCodes(ctx: AccountContext<UserCaller>, code: string): Promise<string[]> {
  const spent = await spendCode(ctx, code);
  const codes = newRecoveryCodes();
  const replaced = replaceRecoveryCodes(ctx.caller.id, codes.map(hashRecoveryCode));
  const writes = [...spent, ...replaced, ...audited(ctx, "renew_recovery_codes")];
  await writeWithCode(ctx, { writes, used: wrongCode });
  return codes;
}

/** Removes the factor of somebody who lost the app and the recovery codes. The password alone then suffices to sign in. */
export async function removeTwoFactor(ctx: WriteContext<UserCaller>, id: number): Promise<void> {
  const { env, db, caller, author } = ctx;
  requireCredentialsRight(author, accountScopeOf(caller), ["second factor"]);
  if (id === caller.id) {
    throw conflict("own_two_factor", "Disable your own second factor with a code, or ask another administrator");
  }
  await requireAccount(db, { id, scope: "everybody" });
  await translateViolations(runAll(db, removeFactor(ctx, id)), { row_changed: notEnabled });
  await forgetUser(env, id);
}

const loadUqr = onFirstUse(() => import("uqr"));

/** Renders text as a QR code: an SVG with the margin of four light modules that the standard requires. */
async function qrCodeOf(text: string): Promise<string> {
  const { renderSVG } = await loadUqr();
  return renderSVG(text, { border: 4, ecc: "M" });
}
