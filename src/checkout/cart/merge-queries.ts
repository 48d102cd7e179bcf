import { sql } from "drizzle-orm";
import { MAX_LINES } from "../../domain/quantity.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import type { CartOwner } from "./owner.ts";
import { clampedQuantity, forSale, ownedBy, selectLines } from "./queries.ts";

/**
 * Moves a guest's lines into a user's cart, in one batch, so that it happens once. Quantities add up, clamped to the
 * stock; what is not for sale, or finds the cart full, stays in the guest cart, which ends with its last line.
 */
export async function mergeLines(
  db: Database,
  guest: CartOwner & { kind: "guest" },
  user: CartOwner & { kind: "user" },
  now: number,
) {
  const guestCart = sql`(SELECT id FROM carts WHERE ${ownedBy(guest, now)})`;
  const userCart = sql`(SELECT id FROM carts WHERE user_id = ${user.userId})`;
  const isInCart = sql`product_id IN (SELECT product_id FROM cart_items WHERE cart_id = ${userCart})`;
  const [theirs, mine, , , , , merged] = await db.batch([
    selectLines(db, guest, now),
    selectLines(db, user, now),
    statement(
      db,
      sql`INSERT INTO carts (user_id, updated_at) SELECT ${user.userId}, ${now} WHERE ${guestCart} IS NOT NULL
        ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at`,
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
    statement(db, sql`DELETE FROM cart_items WHERE cart_id = ${guestCart} AND ${isInCart}`),
    statement(
      db,
      sql`DELETE FROM carts WHERE ${ownedBy(guest, now)}
        AND NOT EXISTS (SELECT 1 FROM cart_items WHERE cart_id = carts.id)`,
    ),
    selectLines(db, user, now),
  ]);
  return { theirs, mine, merged };
}
