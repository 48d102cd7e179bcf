import type { Caller } from "../auth/caller.ts";

type DeniedReason = "login_required" | "no_package" | "expired" | "limit_reached" | "revoked";

/** A package of the caller's that holds the file. */
export type HeldPackage = {
  id: number;
  downloadLimit: number | null;
  downloadsUsed: number;
  expiresAt: number | null;
  revokedAt: number | null;
};

/** `package` is the one that pays for the download, where the file needs one. */
export type Access = { allowed: true; package: HeldPackage | null } | { allowed: false; reason: DeniedReason };

/** Whether the caller may download a file, and on which of their packages. */
export function judgeAccess(
  access: "public" | "authenticated" | "package",
  caller: Caller,
  held: readonly HeldPackage[],
  now: number,
): Access {
  if (access === "public") return { allowed: true, package: null };
  if (caller.kind === "anonymous") return { allowed: false, reason: "login_required" };
  if (access === "authenticated") return { allowed: true, package: null };
  if (caller.kind === "api_key") return { allowed: false, reason: "login_required" };
  const [best] = held.filter((candidate) => stateOf(candidate, now) === "active").sort(cheapestFirst);
  return best ? { allowed: true, package: best } : { allowed: false, reason: denial(held, now) };
}

export function stateOf(held: HeldPackage, now: number): "active" | "revoked" | "expired" | "limit_reached" {
  if (held.revokedAt !== null) return "revoked";
  if (held.expiresAt !== null && held.expiresAt <= now) return "expired";
  return remainingOf(held) === 0 ? "limit_reached" : "active";
}

/** Null is without limit. */
export const remainingOf = ({ downloadLimit, downloadsUsed }: HeldPackage): number | null =>
  downloadLimit === null ? null : downloadLimit - downloadsUsed;

/** One without a limit loses nothing; of the others the one that would lapse first. */
function cheapestFirst(a: HeldPackage, b: HeldPackage): number {
  const limited = Number(a.downloadLimit !== null) - Number(b.downloadLimit !== null);
  return limited || (a.expiresAt ?? Number.MAX_SAFE_INTEGER) - (b.expiresAt ?? Number.MAX_SAFE_INTEGER) || a.id - b.id;
}

/** Of several reasons the one that the buyer can do most about. */
function denial(held: readonly HeldPackage[], now: number): DeniedReason {
  const states = held.map((candidate) => stateOf(candidate, now));
  return (["limit_reached", "expired", "revoked"] as const).find((state) => states.includes(state)) ?? "no_package";
}
