import { fieldError } from "./errors.ts";
import { iso } from "./fields.ts";
import { formatMoment } from "./moment.ts";

/** How long a wallet cannot be spent after an administrator gave its account another e-mail address. */
export const WALLET_LOCK_MS = 72 * 60 * 60_000;

/** Until when the wallet cannot be spent; null if it can be. */
export const lockOf = ({ walletLockedUntil }: { walletLockedUntil: number | null }, now: number): number | null =>
  walletLockedUntil !== null && walletLockedUntil > now ? walletLockedUntil : null;

export const walletLocked = (field: string, until: number) =>
  fieldError(
    field,
    "wallet_locked",
    `the wallet cannot be spent until ${formatMoment(until)}: an administrator changed the e-mail address of the account`,
    { until: iso(until) },
  );
