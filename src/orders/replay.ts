import type { Database } from "../db/client.ts";
import { type Claim, replay } from "../idempotency/claim.ts";
import { recall } from "../idempotency/queries.ts";
import type { OrderRow } from "./schemas.ts";

/** An order, and whether it is the answer of an earlier request with the same Idempotency-Key. */
export type Outcome = { order: OrderRow; replayed: boolean };

/** The answer that an earlier request with this key was given, if there was one. */
export async function replayed(db: Database, claim: Claim | undefined, now: number): Promise<Outcome | undefined> {
  const remembered = claim && (await recall(db, claim, now));
  return remembered && { order: replay<OrderRow>(remembered, claim), replayed: true };
}
