import type { Database } from "../db/client.ts";
import { badRequest, conflict, unauthorized } from "../errors.ts";
import type { OrderDraft } from "./draft.ts";
import { insertOrder, readOrderState } from "./place-queries.ts";
import { refusalOf } from "./refusal.ts";
import type { OrderRow } from "./schemas.ts";

/** Places an order in one round trip. Refused, it costs one more to say what was wrong, all of it at once. */
export async function placeOrder(db: Database, draft: OrderDraft): Promise<OrderRow> {
  const order = await insertOrder(db, draft);
  if (order) return order;
  const state = await readOrderState(db, draft);
  if (draft.userId !== null && !state.user) throw unauthorized("The account no longer exists");
  const errors = refusalOf(draft, state);
  if (Object.keys(errors).length > 0) throw badRequest(errors, "The order was not placed, and nothing was charged");
  throw conflict("The order met a change of the catalogue: nothing was charged, place it again");
}
