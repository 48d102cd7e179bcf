import { notFound } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import { findWhichOrder, type WhichOrder } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";
import { type ChangeAuthor, type PlannedChange, writeChange } from "./write-queries.ts";

/** Reads an order, plans a change of it, and writes the change unless the order was changed in between. */
export async function applyOrderChange(
  db: Database,
  which: WhichOrder,
  author: ChangeAuthor,
  decide: (order: OrderRow) => PlannedChange,
): Promise<OrderRow> {
  const order = await findWhichOrder(db, which);
  if (!order) throw notFound(`Order ${which.id}`);
  const changed = await writeChange(db, order, decide(order), author);
  if (changed) return changed;
  throw editedMeanwhile.row_changed();
}
