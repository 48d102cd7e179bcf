import { fieldError, forbidden, reauthenticationRequired } from "../../domain/errors.ts";
import type { AccountScope, Caller } from "./caller.ts";
import { isStaff } from "./roles.ts";

/** Time for which a password or code is recent enough for sensitive actions. */
const FRESH_MS = 10 * 60_000;

/** True if a member of staff last showed a password or code too long ago. API keys cannot be asked. */
export const isStale = (caller: Caller, now: number): boolean =>
  caller.kind === "user" && isStaff(caller.role) && now - caller.authenticatedAt >= FRESH_MS;

/** The part of an author that decides whether to ask. */
type Sensitive = { reauthenticateAbove?: number | undefined };

/** Requires a recent password or code, for sensitive things such as keys and roles. */
export function requireFresh({ reauthenticateAbove }: Sensitive): void {
  if (reauthenticateAbove !== undefined) throw reauthenticationRequired();
}

/**
 * The single right behind everything that lets someone sign in as another person: changing an e-mail address immediately,
 * setting a password or role, and removing a second factor. Only administrators have it, after reauthentication; no API key
 * or other role does. `fields` are the request's fields that need it.
 */
export function requireCredentialsRight(author: Sensitive, scope: AccountScope, fields: string[]): void {
  const [first] = fields;
  if (first === undefined) return;
  if (scope === "customers") {
    const words = "can only be changed by administrators";
    const errors = fields.map((field) => fieldError(field, "read_only", words));
    throw forbidden("administrators_only", `The ${first} ${words}`, ...errors);
  }
  requireFresh(author);
}
