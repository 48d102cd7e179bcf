import type { Database } from "../db/client.ts";
import { notFound } from "../errors.ts";
import { editedMeanwhile } from "../http/version.ts";
import { findWhichOrder, type WhichOrder } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";
import { type Cause, type Effect, writeEffect } from "./write-queries.ts";

/** Reads an order, decides what happens to it, and lets that happen unless the order has changed in between. */
export async function happen(
  db: Database,
  which: WhichOrder,
  cause: Cause,
  decide: (order: OrderRow) => Effect,
): Promise<OrderRow> {
  const order = await findWhichOrder(db, which);
  if (!order) throw notFound(`Order ${which.id}`);
  const changed = await writeEffect(db, order, decide(order), cause);
  if (changed) return changed;
  throw editedMeanwhile.row_changed();
}
