import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { MAX_LINES } from "../../domain/fields.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import { statement } from "../../platform/db/client.ts";
import { cartItems, carts } from "../../platform/db/schema.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import { clampedQuantity, forSale, ownedBy, selectLines } from "./cart.ts";
import type { CartLine, CartOwner } from "./schemas.ts";

export const CartMerge = z
  .object({
    merged_items: z.int().describe("Items that were moved to the user's cart"),
    differences: z
      .array(z.object({ product_id: z.int(), name: z.string(), requested: z.int(), quantity: z.int() }))
      .describe("Items whose quantity is lower than the sum of both carts"),
  })
  .meta({ id: "CartMerge" });
export type CartMerge = z.output<typeof CartMerge>;

/**
 * Merges the guest cart that a token names into the user's cart. Returns null if no such cart exists because it was already
 * merged or has expired.
 */
export async function mergeGuestCart(
  ctx: AuthorContext,
  { userId, token }: { userId: number; token: string },
): Promise<CartMerge | null> {
  const guest = { kind: "guest", token, tokenHash: hashSecret(token), isNew: false } as const;
  const { theirs, mine, merged } = await mergeLines(ctx, { guest, user: { kind: "user", userId } });
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

/**
 * Moves a guest's lines into a user's cart in one batch, so that it happens once. Quantities are added up and clamped to the
 * stock. Lines that are not for sale, or exceed a full cart, stay in the guest cart, which is deleted with its last line.
 */
async function mergeLines(
  { db, author: { now } }: AuthorContext,
  { guest, user }: { guest: CartOwner & { kind: "guest" }; user: CartOwner & { kind: "user" } },
) {
  const cartOf = (where: SQL | undefined) => sql`(SELECT ${carts.id} FROM ${carts} WHERE ${where})`;
  const [guestCart, userCart] = [cartOf(ownedBy(guest, now)), cartOf(eq(carts.userId, user.userId))];
  const mineToo = alias(cartItems, "mine");
  const isInCart = sql`${cartItems.productId} IN (
    SELECT ${mineToo.productId} FROM ${cartItems} AS ${mineToo} WHERE ${mineToo.cartId} = ${userCart})`;
  const [theirs, mine, , , , , merged] = await db.batch([
    selectLines(db, guest, now),
    selectLines(db, user, now),
    statement(
      db,
      insertSelected(
        carts,
        { userId: user.userId, updatedAt: now },
        sql`WHERE ${guestCart} IS NOT NULL ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at`,
      ),
    ),
    statement(
      db,
      sql`INSERT INTO cart_items (cart_id, product_id, quantity, seen_price)
        SELECT ${userCart}, products.id, ${clampedQuantity(sql`line.quantity`)}, line.seen_price
        FROM (
          SELECT *, ${isInCart} AS known, row_number() OVER (PARTITION BY ${isInCart} ORDER BY id) AS place
          FROM cart_items WHERE cart_id = ${guestCart}
        ) AS line JOIN products ON products.id = line.product_id AND ${forSale}
        WHERE known OR place <= ${MAX_LINES} - (SELECT count(*) FROM cart_items WHERE cart_id = ${userCart})
        ON CONFLICT (cart_id, product_id) DO UPDATE SET quantity = (
          SELECT ${clampedQuantity(sql`cart_items.quantity + (
            SELECT quantity FROM cart_items AS guest WHERE guest.cart_id = ${guestCart} AND guest.product_id = products.id
          )`)} FROM products WHERE products.id = cart_items.product_id)`,
    ),
    db.delete(cartItems).where(and(sql`${cartItems.cartId} = ${guestCart}`, isInCart)),
    db
      .delete(carts)
      .where(
        and(ownedBy(guest, now), sql`NOT EXISTS (SELECT 1 FROM ${cartItems} WHERE ${cartItems.cartId} = ${carts.id})`),
      ),
    selectLines(db, user, now),
  ]);
  return { theirs, mine, merged };
}
