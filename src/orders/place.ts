import type { Database } from "../db/client.ts";
import { badRequest, conflict, unauthorized } from "../errors.ts";
import type { Claim } from "../idempotency/claim.ts";
import type { OrderDraft } from "./draft.ts";
import type { PaymentProvider } from "./payments/provider.ts";
import { insertOrder, readOrderState } from "./place-queries.ts";
import { refusalOf } from "./refusal.ts";
import { type Outcome, replayed } from "./replay.ts";

/**
 * Places an order in one round trip; refused, it costs more to say what was wrong, all of it at once. A provider's payment
 * is opened first: one that no order comes of was never shown to anybody.
 */
export async function placeOrder(
  db: Database,
  draft: OrderDraft,
  claim?: Claim,
  provider?: PaymentProvider,
): Promise<Outcome> {
  const opens = provider && !draft.paid;
  const earlier = opens && (await replayed(db, claim, draft.now));
  if (earlier) return earlier;
  const payment = opens ? await provider.open(draft) : null;
  const order = await insertOrder(db, { ...draft, payment }, claim);
  if (order) return { order, replayed: false };
  const again = await replayed(db, claim, draft.now);
  if (again) return again;
  throw await refusal(db, draft);
}

async function refusal(db: Database, draft: OrderDraft) {
  const state = await readOrderState(db, draft);
  if (draft.userId !== null && !state.user) return unauthorized("The account no longer exists");
  const errors = refusalOf(draft, state);
  if (Object.keys(errors).length > 0) return badRequest(errors, "The order was not placed, and nothing was charged");
  return conflict("The order met a change of the catalogue: nothing was charged, place it again");
}
