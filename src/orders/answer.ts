import type { Context } from "hono";
import type { Outcome } from "./replay.ts";
import { type Order, toOrder } from "./schemas.ts";

/** The order of an answer; one that was given before says so. */
export function answerOf(c: Pick<Context, "header">, { order, replayed }: Outcome): Order {
  if (replayed) c.header("Idempotent-Replayed", "true");
  return toOrder(order);
}
