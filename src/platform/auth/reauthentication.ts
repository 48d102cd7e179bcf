import { reauthenticationRequired } from "../../domain/errors.ts";
import type { Caller } from "./caller.ts";
import { isStaff } from "./roles.ts";

/** Time for which a password or code is recent enough for sensitive actions. */
const FRESH_MS = 10 * 60_000;

/** True if a member of staff last showed a password or code too long ago. API keys cannot be asked. */
export const isStale = (caller: Caller, now: number): boolean =>
  caller.kind === "user" && isStaff(caller.role) && now - caller.authenticatedAt >= FRESH_MS;

/** The part of an author that decides whether to ask. */
type Asked = { reauthenticateAbove?: number | undefined };

/** Requires a recent password or code, for sensitive things such as keys and roles. */
export function requireFresh({ reauthenticateAbove }: Asked): void {
  if (reauthenticateAbove !== undefined) throw reauthenticationRequired();
}
