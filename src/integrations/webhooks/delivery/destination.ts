import { type Resolver, refusalOf } from "../../../platform/http/outbound/resolve.ts";
import type { CheckAddress } from "./send.ts";

/** For how long a name that was resolved is taken to lead to the same addresses. */
const FRESH_MS = 10_000;

/** Checks an address before each attempt, and resolves its name again every few seconds. */
export function checkedBefore(resolver: () => Resolver): CheckAddress {
  let last: { url: string; at: number; refusal: string | null } | undefined;
  return async (url) => {
    const at = Date.now();
    if (last?.url !== url || at - last.at >= FRESH_MS) last = { url, at, refusal: await refusalOf(url, resolver()) };
    return last.refusal;
  };
}
