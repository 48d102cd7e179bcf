import { type SQL, sql } from "drizzle-orm";
import { MAX_LINES } from "../../domain/fields.ts";
import { countStoredBytes, storageRefused } from "../../platform/auth/author-limits.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { type Database, readAround, requireFirst } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { offeredVariants } from "../../platform/db/product-sql.ts";
import { translateViolations } from "../../platform/db/statements.ts";
import { claimKey, deleteKeyUnless, keyTaken, storeResponse } from "../../platform/idempotency/claims.ts";
import {
  beforeColumns,
  type CartView,
  clampedQuantity,
  forSaleAt,
  type LineBefore,
  ownedBy,
  touchCart,
  viewAsJson,
} from "./cart.ts";
import { type CartItemCreate, type CartOwner, GUEST_CART_MS } from "./schemas.ts";

/** The result of an addition, stored under its Idempotency-Key: the line before the addition, and the owner. */
export type Addition = {
  before: LineBefore | null;
  owner: CartOwner;
  /** The cart after the addition. Absent for a repeated request, which reads it with `findAnswered`. */
  view?: CartView;
};

/**
 * Adds to the product's line, clamped to its stock. If the product is not for sale, or not at the price sent, nothing is
 * written, not even a cart. No constraint is violated then, and the response is not stored under the Idempotency-Key.
 */
export async function addCartItem(
  { db, author }: AuthorContext,
  { owner, addition }: { owner: CartOwner; addition: CartItemCreate },
): Promise<Addition> {
  const { now, claim } = author;
  const { product_id: productId, price } = addition;
  const cartId = sql`(SELECT id FROM carts WHERE ${ownedBy(owner, now)})`;
  const before = sql`(
    SELECT ${beforeAsJson} FROM products JOIN product_offers ON product_offers.id = products.id
    LEFT JOIN cart_items ON cart_items.product_id = products.id AND cart_items.cart_id = ${cartId}
    WHERE products.id = ${productId})`;
  const view = viewAsJson(owner, now);
  const writes = [openCart(db, owner, addition, now), addLine(owner, addition, now)];
  const done = sql`EXISTS (
    SELECT 1 FROM cart_items JOIN products ON products.id = product_id AND ${forSaleAt(price)}
    WHERE cart_id = ${cartId} AND product_id = ${productId})`;
  const opened = owner.kind === "guest" && owner.isNew ? countStoredBytes({ author }, sql`500`) : [];
  const claimed = claim && [
    ...(await claimKey(claim, now, { owner })),
    storeResponse(claim, sql`json_object('before', json(${before}))`),
    ...writes,
    ...opened,
    ...countStoredBytes(
      { author },
      sql`coalesce((SELECT 500 + octet_length(json_object(${view})) FROM carts WHERE ${ownedBy(owner, now)}), 0)`,
    ),
    sql`INSERT OR REPLACE INTO cart_answers (cart_id, caller, key, answer)
      SELECT id, ${claim.caller}, ${claim.key}, json_object(${view}) FROM carts WHERE ${ownedBy(owner, now)}`,
    deleteKeyUnless(claim, done),
  ];
  const batch = readAround(
    db,
    read<LineBefore | null>(db, before),
    claimed ?? [...writes, ...opened],
    read<CartView>(db, sql`json_object(${view})`),
  );
  const [was, is] = await translateViolations(batch, { ...storageRefused(now), ...keyTaken });
  return { before: requireFirst(was).json, owner, view: requireFirst(is).json };
}

const beforeAsJson = jsonRow<LineBefore>(beforeColumns, { variants: offeredVariants });

const read = <Value>(db: Database, value: SQL) =>
  db.select({ json: json<Value>(value).as("json") }).from(sql`(SELECT 1)`);

const addLine = (owner: CartOwner, { product_id, quantity, price }: CartItemCreate, now: number): SQL => sql`
  INSERT INTO cart_items (cart_id, product_id, quantity, seen_price)
  SELECT carts.id, products.id, ${clampedQuantity(sql`${quantity}`)}, products.price
  FROM carts JOIN products ON products.id = ${product_id} AND ${forSaleAt(price)}
  WHERE ${ownedBy(owner, now)} AND (
    (SELECT count(*) FROM cart_items WHERE cart_id = carts.id) < ${MAX_LINES}
    OR EXISTS (SELECT 1 FROM cart_items WHERE cart_id = carts.id AND product_id = products.id))
  ON CONFLICT (cart_id, product_id) DO UPDATE SET seen_price = excluded.seen_price, quantity = (
    SELECT ${clampedQuantity(sql`cart_items.quantity + ${quantity}`)} FROM products WHERE products.id = cart_items.product_id)`;

/** Creates the cart or extends it. A token that names no cart does not create one: tokens are only issued here. */
function openCart(db: Database, owner: CartOwner, { product_id, price }: CartItemCreate, now: number): SQL {
  const saleable = sql`EXISTS (SELECT 1 FROM products WHERE id = ${product_id} AND ${forSaleAt(price)})`;
  if (owner.kind === "user") {
    return sql`
      INSERT INTO carts (user_id, updated_at) SELECT ${owner.userId}, ${now} WHERE ${saleable}
      ON CONFLICT (user_id) DO UPDATE SET updated_at = excluded.updated_at`;
  }
  if (!owner.isNew) return touchCart(db, owner, now).getSQL();
  return sql`
    INSERT INTO carts (token_hash, expires_at, updated_at)
    SELECT ${owner.tokenHash}, ${now + GUEST_CART_MS}, ${now} WHERE ${saleable}`;
}
