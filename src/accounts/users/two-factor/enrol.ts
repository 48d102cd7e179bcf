import { conflict } from "../../../domain/errors.ts";
import { forgetUser } from "../../../platform/auth/users/limiter.ts";
import { translateViolations } from "../../../platform/db/violation.ts";
import { readShopName } from "../../../platform/email/emails.ts";
import { onFirstUse } from "../../../platform/http/on-first-use.ts";
import { confirmPassword } from "../confirm-password.ts";
import type { OwnRequest } from "../own-request.ts";
import { endOtherSessions } from "../sessions/sessions.ts";
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
  replaceRecoveryCodes,
  writeWithCode,
  wrongCode,
} from "./two-factor.ts";

const unverified = () =>
  conflict("email_not_verified", "Verify your e-mail address first: a second factor needs a verified address");

const enabled = () => conflict("two_factor_enabled", "The account has a second factor already: disable it first");

/** Starts enrolment and returns what an authenticator app needs. The factor is inactive until a first code confirms it. */
export async function beginTwoFactor(request: OwnRequest, password: string) {
  const { db, settings, author } = request;
  const { id, email, emailVerifiedAt } = await confirmPassword(request, password);
  if (emailVerifiedAt === null) throw unverified();
  const issuer = await readShopName(db, settings.email);
  const secret = await newTotpSecret();
  const stored = sealTotp(settings.linkSecrets, id, secret);
  await writeWithCode(db, [noFactor(id), insertSecret(id, stored, author.now)], enabled);
  return enrolment(issuer, email, secret);
}

/** Returns the unconfirmed secret, for a page that shows it again. */
export async function pendingEnrolment({ db, settings, caller }: OwnRequest) {
  const factor = await findFactor(db, caller.id, "");
  if (!factor || factor.confirmedAt !== null) throw notEnabled();
  const secret = unsealTotp(settings.linkSecrets, caller.id, factor.sealed);
  return enrolment(await readShopName(db, settings.email), factor.user.email, secret);
}

/** Enables the factor with the app's first code, ends every other session, and returns the recovery codes. */
export async function confirmTwoFactor(request: OwnRequest, code: string) {
  const { env, db, settings, caller, author } = request;
  const factor = await findFactor(db, caller.id, "");
  if (!factor) throw notEnabled();
  if (factor.confirmedAt !== null) throw enabled();
  const step = await stepOfFactor(settings.linkSecrets, factor, code, author.now);
  if (step === null) throw wrongCode();
  const codes = newRecoveryCodes();
  const writes = [
    confirm(caller.id, step, author.now),
    ...replaceRecoveryCodes(caller.id, codes.map(hashRecoveryCode)),
    endOtherSessions(db, caller.id, caller.sessionId, author.now).getSQL(),
    ...audited(caller, author, "enable_two_factor"),
    factorNotice(request, "two_factor_enabled"),
  ];
  const written = writeWithCode(db, [isStill(factor), ...writes], wrongCode);
  await translateViolations(written, { email_not_verified: unverified });
  await forgetUser(env, caller.id);
  return codes;
}

async function enrolment(issuer: string, email: string, secret: string) {
  const uri = await totpUri(secret, issuer, email);
  return { secret, uri, qr_code: await qrCodeOf(uri) };
}

export async function disableTwoFactor(request: OwnRequest, code: string): Promise<void> {
  const spent = await spendCode(request, code);
  const writes = [
    ...deleteFactor(request.caller.id),
    ...audited(request.caller, request.author, "disable_two_factor"),
    factorNotice(request, "two_factor_disabled"),
  ];
  await writeWithCode(request.db, [...spent, ...writes], wrongCode);
}

/** Replaces all recovery codes, used or not. */
export async function renewRecoveryCodes(request: OwnRequest, code: string): Promise<string[]> {
  const spent = await spendCode(request, code);
  const codes = newRecoveryCodes();
  const writes = replaceRecoveryCodes(request.caller.id, codes.map(hashRecoveryCode));
  await writeWithCode(
    request.db,
    [...spent, ...writes, ...audited(request.caller, request.author, "renew_recovery_codes")],
    wrongCode,
  );
  return codes;
}

const loadUqr = onFirstUse(() => import("uqr"));

/** Renders text as a QR code: an SVG with the margin of four light modules that the standard requires. */
export async function qrCodeOf(text: string): Promise<string> {
  const { renderSVG } = await loadUqr();
  return renderSVG(text, { border: 4, ecc: "M" });
}
