import { fieldError, forbidden } from "../../domain/errors.ts";
import { type Caller, callerName } from "../../platform/auth/caller.ts";
import { type HeldPackage, type PackageStatus, packageStatus } from "../packages/public.ts";

export const deniedReasons = ["login_required", "no_package", "expired", "limit_reached", "revoked"] as const;
export type DeniedReason = (typeof deniedReasons)[number];

/** `package` is the package that pays for the download, null if the file needs none. */
export type Access = { allowed: true; package: HeldPackage | null } | { allowed: false; reason: DeniedReason };

/** A guest who opened the link of their order, which has the packages that no account has. */
type GuestOrderHolder = { kind: "guest_order"; id: number; reference: string };

/** The downloading party: a caller, or the holder of the link to a guest's order. */
export type Downloader = Caller | GuestOrderHolder;

/** Names the holder of a download link. A public file needs no order. */
export function holderName(downloader: Downloader, packageId: number | null): string {
  if (downloader.kind !== "guest_order") return callerName(downloader);
  return packageId === null ? "anonymous" : `guest_order:${downloader.reference}`;
}

/** Decides whether the caller may download a file, and with which of their packages. */
export function checkAccess(
  access: "public" | "authenticated" | "package",
  caller: Downloader,
  held: readonly HeldPackage[],
  now: number,
): Access {
  if (access === "public") return { allowed: true, package: null };
  if (caller.kind === "anonymous") return { allowed: false, reason: "login_required" };
  if (caller.kind === "guest_order" && access === "authenticated") return { allowed: false, reason: "login_required" };
  if (access === "authenticated") return { allowed: true, package: null };
  if (caller.kind === "api_key") return { allowed: false, reason: "login_required" };
  const [best] = held.filter((candidate) => packageStatus(candidate, now) === "active").sort(cheapestFirst);
  return best ? { allowed: true, package: best } : { allowed: false, reason: denial(held, now) };
}

/** Sorts packages without a limit first, since a download costs them nothing, then by earliest expiry. */
function cheapestFirst(a: HeldPackage, b: HeldPackage): number {
  const limited = Number(a.downloadLimit !== null) - Number(b.downloadLimit !== null);
  return limited || (a.expiresAt ?? Number.MAX_SAFE_INTEGER) - (b.expiresAt ?? Number.MAX_SAFE_INTEGER) || a.id - b.id;
}

/** Reason for a denied download, by package status. */
export const reasonOf: Record<Exclude<PackageStatus, "active">, DeniedReason> = {
  exhausted: "limit_reached",
  expired: "expired",
  revoked: "revoked",
};

const sentences: Record<DeniedReason, string> = {
  login_required: "needs a user token",
  no_package: "needs a download package",
  expired: "is in a package that has expired",
  limit_reached: "is in a package that has no downloads left",
  revoked: "is in a package that was revoked",
};

export const downloadDenied = (message: string, reason: DeniedReason) =>
  forbidden(
    "download_denied",
    message,
    fieldError("file_id", "download_denied", sentences[reason], { denied_reason: reason }),
  );

/**
 * Returns why these packages do not allow a download. If there are several reasons, picks the one that the buyer can
 * act on best.
 */
function denial(held: readonly HeldPackage[], now: number): DeniedReason {
  const statuses = held.map((candidate) => packageStatus(candidate, now));
  const status = (["exhausted", "expired", "revoked"] as const).find((candidate) => statuses.includes(candidate));
  return status ? reasonOf[status] : "no_package";
}
