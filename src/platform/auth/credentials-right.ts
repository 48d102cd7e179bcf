import { fieldError, forbidden } from "../../domain/errors.ts";
import type { AccountScope } from "../db/account-scope.ts";
import type { Author } from "./author.ts";
import { requireFresh } from "./reauthentication.ts";

/**
 * The one right behind everything that lets somebody sign in as another person: to change an e-mail address at once, to give a
 * password or a role, and to remove a second factor. Administrators hold it, who show their password or a code again; no API
 * key and no other role of staff does. `fields` are those of the request that take it.
 */
export function requireCredentialsRight(author: Author, scope: AccountScope, fields: string[]): void {
  const [first] = fields;
  if (first === undefined) return;
  if (scope === "customers") {
    const words = "is for administrators to change";
    const errors = fields.map((field) => fieldError(field, "read_only", words));
    throw forbidden("administrators_only", `The ${first} ${words}`, ...errors);
  }
  requireFresh(author);
}
