import type { OwnRequest } from "../own-request.ts";
import { wrongCode } from "./errors.ts";
import { audited, deleteFactor, factorNotice, replaceRecoveryCodes, writeWithCode } from "./queries.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { spendCode } from "./spend-code.ts";

export async function disableTwoFactor(request: OwnRequest, code: string): Promise<void> {
  const spent = await spendCode(request, code);
  const writes = [
    ...deleteFactor(request.caller.id),
    ...audited(request.caller, request.author, "disable_two_factor"),
    factorNotice(request, "two_factor_disabled"),
  ];
  await writeWithCode(request.db, [...spent, ...writes], wrongCode);
}

/** New recovery codes instead of the old ones, used or not. */
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
