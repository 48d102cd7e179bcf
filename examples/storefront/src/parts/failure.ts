import { StorefrontError } from "@storefront-worker/api/client";

const BUSY = "The shop is busy. Wait a minute, then try again.";
const UNREACHABLE = "The shop cannot be reached right now. Wait a minute, then try again.";

/** Thrown if the connection to the API breaks. */
export class Unreachable extends Error {}

/** Calls fetch and unifies its errors, which have another class in each runtime. */
export const send = (request: Request): Promise<Response> =>
  fetch(request).catch((cause: unknown) => {
    throw new Unreachable("The API cannot be reached", { cause });
  });

/** Advice for a shopper whose request failed through no fault of theirs. Null for other errors. */
export function failureOf(error: unknown): string | null {
  if (error instanceof Unreachable) return UNREACHABLE;
  if (!(error instanceof StorefrontError)) return null;
  if (error.status === 429) return BUSY;
  return error.status >= 500 ? UNREACHABLE : null;
}
