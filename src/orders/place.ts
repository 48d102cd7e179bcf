import type { Database } from "../db/client.ts";
import { type ApiError, badRequest, conflict, fieldError, unauthorized } from "../errors.ts";
import { requireUnusedKey } from "../idempotency/queries.ts";
import type { PaymentProvider } from "../payments/public.ts";
import type { OrderDraft } from "./draft.ts";
import { orderErrors } from "./order-errors.ts";
import { insertOrder, readOrderState } from "./place-queries.ts";
import type { OrderRow } from "./schemas.ts";

/**
 * Places an order in one round trip; refused, it costs more to say what was wrong, all of it at once. A provider is asked
 * first, for an order that looks good: a payment that no order comes of was never shown to anybody.
 */
export async function placeOrder(db: Database, draft: OrderDraft, provider?: PaymentProvider): Promise<OrderRow> {
  if (!provider || draft.paid) return write(db, draft);
  await requireUnusedKey(db, draft);
  const refused = await refusal(db, draft);
  if (refused) throw refused;
  return write(db, { ...draft, payment: await provider.open(draft) });
}

async function write(db: Database, draft: OrderDraft): Promise<OrderRow> {
  const order = await insertOrder(db, draft);
  if (order) return order;
  const met = conflict(
    "changed_meanwhile",
    "The order met a change of the catalogue: nothing was charged, place it again",
  );
  throw (await refusal(db, draft)) ?? met;
}

/** The error that placing the order would give now; undefined when it would succeed. */
async function refusal(db: Database, draft: OrderDraft): Promise<ApiError | undefined> {
  const state = await readOrderState(db, draft);
  if (draft.userId !== null && !state.user) return unauthorized("invalid_token", "The account no longer exists");
  if (state.resent !== undefined) return resent(state.resent);
  const errors = orderErrors(draft, state);
  if (errors.length === 0) return undefined;
  return badRequest(errors, "The order was not placed, and nothing was charged");
}

function resent(number: string): ApiError {
  const again = "to order it again on purpose, send an Idempotency-Key that you have not used";
  return conflict(
    "order_resent",
    `This is order ${number} once more, which was placed seconds ago: nothing was charged`,
    fieldError("body", "order_resent", `is order ${number} once more: ${again}`, { order_number: number }),
  );
}
