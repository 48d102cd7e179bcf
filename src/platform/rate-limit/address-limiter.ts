import { tooManyRequests } from "../../domain/errors.ts";
import { askLimiter, notifyLimiter } from "./ask-limiter.ts";
import { type Count, Limiter, secondsToReset } from "./limiter.ts";
import { networkOf } from "./network.ts";
import { type AddressPolicy, NETWORK_FACTOR, policies } from "./policies.ts";

/** Counts requests of a network. One object per network and policy. */
export class AddressLimiter extends Limiter {
  /** Requests that a /64 is refused do not count against its /48. */
  take(policy: AddressPolicy, subnet: string | null): Count {
    if (subnet === null) return this.count(policy);
    const limit = NETWORK_FACTOR * policies[policy].limit;
    if (this.isFull(policy, "", limit)) return this.count(policy, "", limit);
    const count = this.count(policy, subnet);
    if (count.admitted) this.count(policy, "", limit);
    return count;
  }

  /** Counts several requests together, or none of them. */
  takeAll(policy: AddressPolicy, subnet: string | null, many: number): Count {
    let count = this.take(policy, subnet);
    for (let taken = 1; count.admitted && taken < many; taken++) {
      count = this.take(policy, subnet);
      if (!count.admitted) this.giveBack(policy, subnet, taken);
    }
    return count;
  }

  /** Uncounts requests. */
  giveBack(policy: AddressPolicy, subnet: string | null, many: number): void {
    for (let given = 0; given < many; given++) {
      for (const name of subnet === null ? [undefined] : [subnet, ""]) this.uncount(policy, name);
    }
  }
}

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

/** Sender of a payment provider's event, and the order reference in it. */
type EventSender = { address: string | undefined; orderReference: string };

/**
 * Verifies an event, unless its address sent too many forged ones for the order. Events from other addresses, and
 * events for other orders, are never delayed, because a provider can be made to send events that it did not sign for
 * this shop. An event counts until it proves genuine or cannot be checked.
 */
export async function limitForgedEvents(
  env: Env,
  { address, orderReference }: EventSender,
  isGenuine: () => Promise<boolean>,
): Promise<boolean> {
  const { count, giveBack } = await takeAttempts(env, "forged-payment-events", { address, about: orderReference }, 1);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
  let isForged = false;
  try {
    isForged = !(await isGenuine());
  } finally {
    if (!isForged) await giveBack(1);
  }
  return !isForged;
}
