import ipaddr from "ipaddr.js";
import { ask } from "./ask.ts";
import { type Count, Limiter } from "./limiter.ts";
import type { AddressPolicy } from "./policies.ts";

/** One object per address and policy. */
export class AddressLimiter extends Limiter {
  take(policy: AddressPolicy): Count {
    return this.count(policy);
  }
}

/** Counts a request against its address. Null when the object cannot answer: the request is then admitted uncounted. */
export const countAddress = (env: Env, policy: AddressPolicy, request: Request): Promise<Count | null> =>
  ask(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:${addressOf(request)}`),
    (limiter) => limiter.take(policy),
  );

/** Who an address stands for: an IPv6 customer holds a whole /64, so that is what is counted. */
function addressOf(request: Request): string {
  const header = request.headers.get("CF-Connecting-IP") ?? "";
  if (!ipaddr.isValid(header)) return "unknown";
  const address = ipaddr.process(header);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(":") : address.toString();
}
