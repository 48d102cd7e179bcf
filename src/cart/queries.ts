import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import { type Database, statement } from "../db/client.ts";
import { grantsFiles } from "../db/grants-files.ts";
import { cartItems, carts, products } from "../db/schema.ts";
import { MAX_LINES, MAX_QUANTITY } from "../quantities.ts";
import { type CartOwner, GUEST_CART_MS } from "./owner.ts";
import type { CartLine, CartRow } from "./schemas.ts";

export type CartView = { cart: CartRow | undefined; lines: CartLine[] };

/** What was there before a line was written: `quantity` is null where the cart has no such line. */
export type Before = {
  name: string;
  status: "active" | "draft";
  stockQuantity: number | null;
  quantity: number | null;
};

export const ownedBy = (owner: CartOwner, now: number): SQL | undefined =>
  owner.kind === "user"
    ? eq(carts.userId, owner.userId)
    : and(eq(carts.tokenHash, owner.tokenHash), gt(carts.expiresAt, now));

const selectCart = (db: Database, owner: CartOwner, now: number) => db.select().from(carts).where(ownedBy(owner, now));

export const selectLines = (db: Database, owner: CartOwner, now: number) =>
  db
    .select({
      id: cartItems.id,
      productId: cartItems.productId,
      quantity: cartItems.quantity,
      seenPrice: cartItems.seenPrice,
      name: products.name,
      sku: products.sku,
      type: products.type,
      status: products.status,
      price: products.price,
      images: products.images,
      stockQuantity: products.stockQuantity,
      requiresShipping: products.requiresShipping,
      grantsFiles,
    })
    .from(carts)
    .innerJoin(cartItems, eq(cartItems.cartId, carts.id))
    .innerJoin(products, eq(products.id, cartItems.productId))
    .where(ownedBy(owner, now))
    .orderBy(cartItems.id);

export async function findCart(db: Database, owner: CartOwner, now: number): Promise<CartView> {
  const [[cart], lines] = await db.batch([selectCart(db, owner, now), selectLines(db, owner, now)]);
  return { cart, lines };
}

export const forSale = sql`${products.status} = 'active' AND ${products.inStock}`;

/** As many as were asked for, or as many as there are. */
export const clamped = (quantity: SQL) =>
  sql`min(${quantity}, ${MAX_QUANTITY}, coalesce(${products.stockQuantity}, ${MAX_QUANTITY}))`;

const beforeColumns = {
  name: products.name,
  status: products.status,
  stockQuantity: products.stockQuantity,
  quantity: cartItems.quantity,
};

/** Adds to the line of the product, clamped to its stock. Writes nothing, no cart either, if it is not for sale. */
export async function addToCart(db: Database, owner: CartOwner, productId: number, quantity: number, now: number) {
  const cartId = sql`(SELECT id FROM carts WHERE ${ownedBy(owner, now)})`;
  const before = db
    .select(beforeColumns)
    .from(products)
    .leftJoin(cartItems, and(eq(cartItems.productId, products.id), sql`${cartItems.cartId} = ${cartId}`))
    .where(eq(products.id, productId));
  const line = statement(
    db,
    sql`
    INSERT INTO cart_items (cart_id, product_id, quantity, seen_price)
    SELECT carts.id, products.id, ${clamped(sql`${quantity}`)}, products.price
    FROM carts JOIN products ON products.id = ${productId} AND ${forSale}
    WHERE ${ownedBy(owner, now)} AND (
      (SELECT count(*) FROM cart_items WHERE cart_id = carts.id) < ${MAX_LINES}
      OR EXISTS (SELECT 1 FROM cart_items WHERE cart_id = carts.id AND product_id = products.id))
    ON CONFLICT (cart_id, product_id) DO UPDATE SET seen_price = excluded.seen_price, quantity = (
      SELECT ${clamped(sql`cart_items.quantity + ${quantity}`)} FROM products WHERE products.id = cart_items.product_id)`,
  );
  const [[product], , , [cart], lines] = await db.batch([
    before,
    openCart(db, owner, productId, now),
    line,
    selectCart(db, owner, now),
    selectLines(db, owner, now),
  ]);
  return { before: product, cart, lines };
}

/** Makes the cart, or moves its dates. A token that names no cart makes none: it has to come from here. */
const openCart = (db: Database, owner: CartOwner, productId: number, now: number) => {
  const saleable = sql`EXISTS (SELECT 1 FROM products WHERE id = ${productId} AND ${forSale})`;
  if (owner.kind === "user") {
    return statement(
      db,
      sql`
      INSERT INTO carts (user_id, updated_at) SELECT ${owner.userId}, ${now} WHERE ${saleable}
      ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at`,
    );
  }
  const expiresAt = now + GUEST_CART_MS;
  if (!owner.isNew) return touch(db, owner, now);
  return statement(
    db,
    sql`
    INSERT INTO carts (token_hash, expires_at, updated_at) SELECT ${owner.tokenHash}, ${expiresAt}, ${now} WHERE ${saleable}`,
  );
};

const touch = (db: Database, owner: CartOwner, now: number) =>
  statement(
    db,
    sql`
    UPDATE carts SET updated_at = ${now}, expires_at = ${owner.kind === "user" ? null : now + GUEST_CART_MS}
    WHERE ${ownedBy(owner, now)}`,
  );

const itemOf = (owner: CartOwner, id: number, now: number): SQL | undefined =>
  and(eq(cartItems.id, id), sql`${cartItems.cartId} = (SELECT id FROM carts WHERE ${ownedBy(owner, now)})`);

/** Sets the quantity of a line, clamped to the stock; a line that cannot be bought stays as it is. */
export async function setCartItem(db: Database, owner: CartOwner, id: number, quantity: number, now: number) {
  const before = db
    .select(beforeColumns)
    .from(cartItems)
    .innerJoin(products, eq(products.id, cartItems.productId))
    .where(itemOf(owner, id, now));
  const line = statement(
    db,
    sql`
    UPDATE cart_items SET quantity = ${clamped(sql`${quantity}`)}, seen_price = products.price
    FROM products WHERE products.id = cart_items.product_id AND ${forSale} AND ${itemOf(owner, id, now)}`,
  );
  const [[item], , , [cart], lines] = await db.batch([
    before,
    line,
    touch(db, owner, now),
    selectCart(db, owner, now),
    selectLines(db, owner, now),
  ]);
  return { before: item, cart, lines };
}

/** Whether there was such a line. */
export async function removeCartItem(db: Database, owner: CartOwner, id: number, now: number): Promise<boolean> {
  const [removed] = await db.batch([
    db
      .delete(cartItems)
      .where(itemOf(owner, id, now))
      .returning({ id: cartItems.id }),
    touch(db, owner, now),
  ]);
  return removed.length > 0;
}

/** Forgets the guest carts whose time is over, lines and all. */
export const forgetGuestCarts = (db: Database, now: number) => db.delete(carts).where(lte(carts.expiresAt, now));

/** Takes every line out; the cart and its token stay. Undefined when there is no such cart. */
export async function emptyCart(db: Database, owner: CartOwner, now: number): Promise<CartRow | undefined> {
  const [, , [cart]] = await db.batch([
    db.delete(cartItems).where(sql`${cartItems.cartId} = (SELECT id FROM carts WHERE ${ownedBy(owner, now)})`),
    touch(db, owner, now),
    selectCart(db, owner, now),
  ]);
  return cart;
}
