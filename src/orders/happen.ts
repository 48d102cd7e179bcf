import type { Database } from "../db/client.ts";
import { notFound } from "../errors.ts";
import { editedMeanwhile } from "../http/version.ts";
import { replay } from "../idempotency/claim.ts";
import { findClaimed, type WhichOrder } from "./queries.ts";
import { type Outcome, replayed } from "./replay.ts";
import type { OrderRow } from "./schemas.ts";
import { type Cause, type Effect, writeEffect } from "./write-queries.ts";

/**
 * Reads an order, decides what happens to it, and lets that happen unless the order has changed in between. A claim that
 * was met before gets the answer of then.
 */
export async function happen(
  db: Database,
  which: WhichOrder,
  cause: Cause,
  decide: (order: OrderRow) => Effect,
): Promise<Outcome> {
  const { claim, now } = cause;
  const { order, remembered } = await findClaimed(db, which, claim, now);
  if (claim && remembered) return { order: replay<OrderRow>(remembered, claim), replayed: true };
  if (!order) throw notFound(`Order ${which.id}`);
  const changed = await writeEffect(db, order, decide(order), cause);
  if (changed) return { order: changed, replayed: false };
  const again = await replayed(db, claim, now);
  if (again) return again;
  throw editedMeanwhile.row_changed();
}
