import * as z from "zod";
import { hashSecret } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { mergeLines } from "./merge-queries.ts";
import type { CartLine } from "./schemas.ts";

export const CartMerge = z
  .object({
    merged_items: z.int().describe("Items that were moved to the user's cart"),
    differences: z
      .array(z.object({ product_id: z.int(), name: z.string(), requested: z.int(), quantity: z.int() }))
      .describe("Items whose quantity is lower than the sum of both carts"),
  })
  .meta({ id: "CartMerge" });
export type CartMerge = z.output<typeof CartMerge>;

/** Merges the guest cart that a token names into the user's. Null when the token names none: it was merged before, or its time is over. */
export async function mergeGuestCart(db: Database, userId: number, token: string): Promise<CartMerge | null> {
  const guest = { kind: "guest", token, tokenHash: hashSecret(token), isNew: false } as const;
  const { theirs, mine, merged } = await mergeLines(db, guest, { kind: "user", userId }, Date.now());
  if (theirs.length === 0) return null;
  const before = quantities(mine);
  const after = quantities(merged);
  const lines = theirs.map(({ productId, name, quantity }) => ({
    product_id: productId,
    name,
    requested: quantity + (before.get(productId) ?? 0),
    quantity: after.get(productId) ?? 0,
  }));
  return {
    merged_items: lines.filter((line) => line.quantity > 0).length,
    differences: lines.filter((line) => line.quantity < line.requested),
  };
}

const quantities = (lines: CartLine[]) => new Map(lines.map(({ productId, quantity }) => [productId, quantity]));
