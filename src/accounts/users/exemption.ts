import { type FieldError, fieldError, forbidden } from "../../domain/errors.ts";
import type { Author } from "../../platform/auth/caller.ts";

type LimitedAuthor = Pick<Author, "spendingLimit">;

/** An account's reason for tax exemption before and after a change. Undefined if it stays. */
type Exemption = { before: string | null; after: string | null | undefined };

/** Error for staff with a spending limit who exempt an account, because its future orders decide what that gives away. */
export function exemptionError({ spendingLimit }: LimitedAuthor, { before, after }: Exemption): FieldError | undefined {
  if (spendingLimit === undefined || before !== null || after === null || after === undefined) return undefined;
  const words = "can only be set by administrators, because it applies to all of the account's orders";
  return fieldError("tax_exempt_reason", "read_only", words);
}

export function requireMayExempt(author: LimitedAuthor, exemption: Exemption): void {
  const error = exemptionError(author, exemption);
  if (error) throw forbidden("administrators_only", `The ${error.field} ${error.message}`, error);
}
