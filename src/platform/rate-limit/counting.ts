import { askLimiter, notifyLimiter } from "./ask-limiter.ts";
import { networkOf } from "./network.ts";
import type { AddressPolicy, Policy } from "./policies.ts";
import type { WindowResult } from "./window.ts";

/** The result of counting a request. */
export type Count = WindowResult & { policy: Policy };

const placeOf = (address: string | undefined) => {
  const { network, subnet } = networkOf(address) ?? { network: "unknown", subnet: null };
  return { name: network, subnet };
};

/**
 * Subject whose attempts are counted together: an account or API key, by an opaque name, or an address. `about` separates the
 * attempts of one address by target.
 */
export type Attempter = { account: string } | { address: string | undefined; about: string } | { address: string };

/** Attempts that count until they prove correct. */
type Attempts = { count: Count | null; giveBack: (many: number) => Promise<void> };

export async function takeAttempts(env: Env, policy: AddressPolicy, who: Attempter, many: number): Promise<Attempts> {
  const { name, subnet } = "account" in who ? { name: `account:${who.account}`, subnet: null } : placeOf(who.address);
  const about = "about" in who ? `${who.about}:` : "";
  const open = () => env.ADDRESS_LIMITER.getByName(`${policy}:${about}${name}`);
  return {
    count: await askLimiter(open, (limiter) => limiter.takeAll(policy, subnet, many)),
    giveBack: (right) => notifyLimiter(open, (limiter) => limiter.giveBack(policy, subnet, right)),
  };
}

/** Counts a request against the account that it names, whether it exists or not. `account` is an opaque name. */
export const countAccount = (env: Env, policy: AddressPolicy, account: string): Promise<Count | null> =>
  askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:account:${account}`),
    (limiter) => limiter.take(policy, null),
  );

/** Counts a request against its address. Returns null if the object is unavailable: the request is admitted uncounted. */
export const countAddress = (env: Env, policy: AddressPolicy, address: string | undefined): Promise<Count | null> => {
  const { name, subnet } = placeOf(address);
  return askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:${name}`),
    (limiter) => limiter.take(policy, subnet),
  );
};
