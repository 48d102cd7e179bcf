import { tooManyRequests } from "../../domain/errors.ts";
import { takeAttempts } from "./address-limiter.ts";
import { secondsToReset } from "./headers.ts";

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
