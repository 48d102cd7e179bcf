import { tooManyRequests } from "../../domain/errors.ts";
import { askLimiter } from "./ask-limiter.ts";
import { secondsToReset } from "./headers.ts";

/**
 * Refuses an event of a payment provider when too many came that name the order. Counted by order and not by address: a
 * provider can be made to send its own events here, and whoever knows one order's number then holds up no other's.
 */
export async function limitPaymentEvents(env: Env, orderNumber: string): Promise<void> {
  const count = await askLimiter(
    () => env.ADDRESS_LIMITER.getByName(`payment-events:${orderNumber}`),
    (limiter) => limiter.take("payment-events", null),
  );
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
}
