import { StorefrontError } from "storefront/client";

const BUSY = "The shop is busy. Wait a minute, then try again.";
const UNREACHABLE = "The shop cannot be reached right now. Wait a minute, then try again.";

/** What a shopper can do about a request that failed for no fault of theirs. Null for other errors. */
export function failureOf(error: unknown): string | null {
  // fetch throws a TypeError if the connection to the API breaks.
  if (error instanceof TypeError) return UNREACHABLE;
  if (!(error instanceof StorefrontError)) return null;
  if (error.status === 429) return BUSY;
  return error.status >= 500 ? UNREACHABLE : null;
}
