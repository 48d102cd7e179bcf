import { fieldError } from "./errors.ts";
import { iso } from "./fields.ts";
import { formatLongMoment } from "./time.ts";

/** Milliseconds for which a wallet is locked after an administrator changed the account's e-mail address. */
export const WALLET_LOCK_MS = 72 * 60 * 60_000;

/** End of the wallet's lock. Null if it is not locked. */
export const lockOf = ({ walletLockedUntil }: { walletLockedUntil: number | null }, now: number): number | null =>
  walletLockedUntil !== null && walletLockedUntil > now ? walletLockedUntil : null;

export const walletLocked = (field: string, until: number) =>
  fieldError(
    field,
    "wallet_locked",
    `the wallet cannot be spent until ${formatLongMoment(until, "UTC")}: an administrator changed the e-mail address of the account`,
    { until: iso(until) },
  );
