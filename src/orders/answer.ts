import type { Context } from "hono";
import type { Outcome } from "./replay.ts";
import { toOrder } from "./schemas.ts";

/** The order of an answer; one that was given before says so. */
export function answerOf(c: Pick<Context, "header">, { order, replayed }: Outcome) {
  if (replayed) c.header("Idempotent-Replayed", "true");
  return toOrder(order);
}
