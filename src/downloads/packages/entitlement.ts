/** The columns of a download package that decide whether it can still be used. */
export type HeldPackage = {
  id: number;
  /** Null is without limit. */
  downloadLimit: number | null;
  downloadsUsed: number;
  /** Null is for ever. */
  expiresAt: number | null;
  revokedAt: number | null;
};

export const packageStatuses = ["active", "expired", "exhausted", "revoked"] as const;
export type PackageStatus = (typeof packageStatuses)[number];

export function packageStatus(held: HeldPackage, now: number): PackageStatus {
  if (held.revokedAt !== null) return "revoked";
  if (held.expiresAt !== null && held.expiresAt <= now) return "expired";
  return remainingOf(held) === 0 ? "exhausted" : "active";
}

/** Null is without limit. */
export const remainingOf = ({ downloadLimit, downloadsUsed }: HeldPackage): number | null =>
  downloadLimit === null ? null : downloadLimit - downloadsUsed;
