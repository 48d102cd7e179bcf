import { hashSecret } from "../auth/secrets.ts";
import type { CartMerge } from "../cart-merge.ts";
import type { Database } from "../db/client.ts";
import { mergeLines } from "./merge-queries.ts";
import type { CartLine } from "./schemas.ts";

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
