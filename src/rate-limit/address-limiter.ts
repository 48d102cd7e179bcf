import { askLimiter } from "./ask-limiter.ts";
import { type Count, Limiter } from "./limiter.ts";
import { networkOf } from "./network.ts";
import { type AddressPolicy, NETWORK_FACTOR, policies } from "./policies.ts";

/** One object per network and policy. */
export class AddressLimiter extends Limiter {
  /** What a /64 is refused does not count against the /48 that it is in. */
  take(policy: AddressPolicy, subnet: string | null): Count {
    if (subnet === null) return this.count(policy);
    const limit = NETWORK_FACTOR * policies[policy].limit;
    if (this.isFull(policy, "", limit)) return this.count(policy, "", limit);
    const count = this.count(policy, subnet);
    if (count.admitted) this.count(policy, "", limit);
    return count;
  }
}

/** Counts a request against the account that it is about, whether there is one or not. `account` tells nothing of it. */
export const countAccount = (env: Env, policy: AddressPolicy, account: string): Promise<Count | null> =>
  askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:account:${account}`),
    (limiter) => limiter.take(policy, null),
  );

/** Counts a request against its address. Null when the object cannot answer: the request is then admitted uncounted. */
export const countAddress = (env: Env, policy: AddressPolicy, address: string | undefined): Promise<Count | null> => {
  const { network, subnet } = networkOf(address) ?? { network: "unknown", subnet: null };
  return askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:${network}`),
    (limiter) => limiter.take(policy, subnet),
  );
};
