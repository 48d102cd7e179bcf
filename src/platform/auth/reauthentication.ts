import { reauthenticationRequired } from "../../domain/errors.ts";
import type { Caller } from "./caller.ts";
import { isStaff } from "./roles.ts";

/** How long a password or code that was shown is enough for what is sensitive. */
const FRESH_MS = 10 * 60_000;

/** Whether a member of staff showed their password or a code too long ago. API keys are programs: nobody can ask them. */
export const isStale = (caller: Caller, now: number): boolean =>
  caller.kind === "user" && isStaff(caller.role) && now - caller.authenticatedAt >= FRESH_MS;

/** The part of an author that says whether they are to be asked. */
type Asked = { reauthenticateAbove?: number | undefined };

/** For what is sensitive, such as keys and roles: asks who has not shown their password or a code lately. */
export function requireFresh({ reauthenticateAbove }: Asked): void {
  if (reauthenticateAbove !== undefined) throw reauthenticationRequired();
}
