import { fieldError, forbidden } from "../../domain/errors.ts";
import type { AccountScope } from "../db/account-scope.ts";
import type { Author } from "./author.ts";
import { requireFresh } from "./reauthentication.ts";

/**
 * The single right behind everything that lets someone sign in as another person: changing an e-mail address immediately,
 * setting a password or role, and removing a second factor. Only administrators have it, after reauthentication; no API key
 * or other role does. `fields` are the request's fields that need it.
 */
export function requireCredentialsRight(author: Author, scope: AccountScope, fields: string[]): void {
  const [first] = fields;
  if (first === undefined) return;
  if (scope === "customers") {
    const words = "can only be changed by administrators";
    const errors = fields.map((field) => fieldError(field, "read_only", words));
    throw forbidden("administrators_only", `The ${first} ${words}`, ...errors);
  }
  requireFresh(author);
}
