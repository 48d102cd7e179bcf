import { fieldError, forbidden, reauthenticationRequired } from "../../domain/errors.ts";
import type { AccountScope, Caller } from "./caller.ts";
import { isStaff } from "./roles.ts";

/** Time for which a password or code is recent enough for sensitive actions. */
const FRESH_MS = 10 * 60_000;

/** True if a member of staff last entered a password or code too long ago. Does not apply to API keys. */
export const isStale = (caller: Caller, now: number): boolean =>
  caller.kind === "user" && isStaff(caller.role) && now - caller.authenticatedAt >= FRESH_MS;

/** The part of an author that determines whether to ask. */
type Sensitive = { reauthenticateAbove?: number | undefined };

/** Requires a recent password or code, for sensitive data such as keys and roles. */
export function requireFresh({ reauthenticateAbove }: Sensitive): void {
  if (reauthenticateAbove !== undefined) throw reauthenticationRequired();
}

/**
 * The only right that lets someone sign in as another person: changing an e-mail address immediately, setting a
 * password or role, and removing a second factor. Only administrators have it, after reauthentication, and no API key
 * or other role does. `fields` are the request's fields that require it.
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
