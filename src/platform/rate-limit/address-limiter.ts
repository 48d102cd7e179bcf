import { tooManyRequests } from "../../domain/errors.ts";
import { askLimiter, notifyLimiter } from "./ask-limiter.ts";
import { secondsToReset } from "./headers.ts";
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

  /** Counts so many requests at once, or none of them. */
  takeAll(policy: AddressPolicy, subnet: string | null, many: number): Count {
    let count = this.take(policy, subnet);
    for (let taken = 1; count.admitted && taken < many; taken++) {
      count = this.take(policy, subnet);
      if (!count.admitted) this.giveBack(policy, subnet, taken);
    }
    return count;
  }

  /** Takes back so many requests that were counted. */
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
 * Whose attempts are counted together: an account or an API key by what tells nothing of it, else an address; `about` counts
 * those of an address apart that are about different things.
 */
export type Attempter = { account: string } | { address: string | undefined; about: string } | { address: string };

/** Attempts that count until they turn out to have been right. */
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

/** Counts a request against the account that it is about, whether there is one or not. `account` tells nothing of it. */
export const countAccount = (env: Env, policy: AddressPolicy, account: string): Promise<Count | null> =>
  askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:account:${account}`),
    (limiter) => limiter.take(policy, null),
  );

/** Counts a request against its address. Null when the object cannot answer: the request is then admitted uncounted. */
export const countAddress = (env: Env, policy: AddressPolicy, address: string | undefined): Promise<Count | null> => {
  const { name, subnet } = placeOf(address);
  return askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`${policy}:${name}`),
    (limiter) => limiter.take(policy, subnet),
  );
};

/** Who sent an event of a payment provider, and the number of the order that it names. */
type EventSender = { address: string | undefined; orderNumber: string };

/**
 * Verifies an event, unless too many came from its address that named the order and were forged. Those of other addresses
 * never wait for them, nor do events from this address that name another order: a provider can be made to send here what it
 * did not sign for this shop. An event counts until it turned out to be genuine, or nobody could tell.
 */
export async function limitForgedEvents(
  env: Env,
  { address, orderNumber }: EventSender,
  isGenuine: () => Promise<boolean>,
): Promise<boolean> {
  const { count, giveBack } = await takeAttempts(env, "forged-payment-events", { address, about: orderNumber }, 1);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
  let isForged = false;
  try {
    isForged = !(await isGenuine());
  } finally {
    if (!isForged) await giveBack(1);
  }
  return !isForged;
}
