import { and, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import type { OfferedVariants } from "../../domain/error-codes.ts";
import { badRequest, type FieldError, fieldError, notFound } from "../../domain/errors.ts";
import { MAX_LINES, MAX_QUANTITY } from "../../domain/fields.ts";
import { formatAmount, toDecimal } from "../../domain/money.ts";
import { nameWithValues, type OptionValue } from "../../domain/option-values.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { offeredVariants } from "../../platform/db/product-sql.ts";
import { cartAnswers, cartItems, carts, productOffers, products } from "../../platform/db/schema.ts";
import { workOffInBulk } from "../../platform/queues/work-off.ts";
import {
  type CartItemCreate,
  type CartItemUpdate,
  type CartLine,
  type CartOwner,
  type CartRow,
  GUEST_CART_MS,
} from "./schemas.ts";

export type CartView = { cart: CartRow | null | undefined; lines: CartLine[] };

/** A product and its line before the write. `quantity` is null if the cart has no line for the product. */
export type LineBefore = Pick<
  typeof products.$inferSelect,
  "name" | "optionValues" | "status" | "price" | "stockQuantity" | "options"
> & {
  /** A product with options cannot be bought itself, only its active variants. */
  variants: OfferedVariants;
  quantity: number | null;
};

export const ownedBy = (owner: CartOwner, now: number): SQL | undefined =>
  owner.kind === "user"
    ? eq(carts.userId, owner.userId)
    : and(eq(carts.tokenHash, owner.tokenHash), gt(carts.expiresAt, now));

const selectCart = (db: Database, owner: CartOwner, now: number) => db.select().from(carts).where(ownedBy(owner, now));

/** A line shows its product as it was last on sale. Edits to a draft are hidden from shoppers. */
const lineColumns = {
  id: cartItems.id,
  productId: cartItems.productId,
  quantity: cartItems.quantity,
  seenPrice: cartItems.seenPrice,
  name: productOffers.name,
  sku: productOffers.sku,
  optionValues: productOffers.optionValues,
  options: products.options,
  type: productOffers.type,
  status: products.status,
  price: productOffers.price,
  unitPricing: products.unitPricing,
  images: productOffers.images,
  stockQuantity: products.stockQuantity,
  requiresShipping: productOffers.requiresShipping,
};

export const selectLines = (db: Database, owner: CartOwner, now: number) =>
  db
    .select(lineColumns)
    .from(carts)
    .innerJoin(cartItems, eq(cartItems.cartId, carts.id))
    .innerJoin(products, eq(products.id, cartItems.productId))
    .innerJoin(productOffers, eq(productOffers.id, products.id))
    .where(ownedBy(owner, now))
    .orderBy(cartItems.id);

const isInCart = (owner: CartOwner, now: number): SQL =>
  sql`${cartItems.cartId} = (SELECT ${carts.id} FROM ${carts} WHERE ${ownedBy(owner, now)})`;

export const cartProductIds = (owner: CartOwner, now: number): SQL =>
  sql`(SELECT ${cartItems.productId} FROM ${cartItems} WHERE ${isInCart(owner, now)})`;

const cartAsJson = jsonRow(getTableColumns(carts));
const lineAsJson = jsonRow(lineColumns);

/** Fields of a cart, for a JSON object. */
export const viewAsJson = (owner: CartOwner, now: number): SQL => sql`
  'cart', json((SELECT ${cartAsJson} FROM carts WHERE ${ownedBy(owner, now)})),
  'lines', json((
    SELECT json_group_array(${lineAsJson} ORDER BY cart_items.id)
    FROM carts JOIN cart_items ON cart_id = carts.id JOIN products ON products.id = product_id
    JOIN product_offers ON product_offers.id = products.id
    WHERE ${ownedBy(owner, now)}))`;

export async function findCart(db: Database, owner: CartOwner, now: number): Promise<CartView> {
  const [[cart], lines] = await db.batch([selectCart(db, owner, now), selectLines(db, owner, now)]);
  return { cart, lines };
}

/**
 * Returns the cart as stored by the last addition under this Idempotency-Key, or the current cart if a later addition
 * replaced that answer.
 */
export async function findAnswered(
  db: Database,
  owner: CartOwner,
  { caller, key, now }: { caller: string; key: string | undefined; now: number },
): Promise<CartView> {
  const answer = json<CartView>(sql`${cartAnswers.answer}`);
  const [[answered], [cart], lines] = await db.batch([
    db
      .select({ answer })
      .from(cartAnswers)
      .innerJoin(carts, eq(carts.id, cartAnswers.cartId))
      .where(and(ownedBy(owner, now), eq(cartAnswers.caller, caller), sql`${cartAnswers.key} = ${key ?? null}`)),
    selectCart(db, owner, now),
    selectLines(db, owner, now),
  ]);
  return answered?.answer ?? { cart, lines };
}

export const forSale = sql`${products.status} = 'active' AND ${products.inStock} AND ${products.options} = '[]'`;

/** Condition that a product is for sale, at the price the buyer saw if one was sent. */
export const forSaleAt = (price: number | undefined): SQL =>
  price === undefined ? forSale : sql`${forSale} AND ${products.price} = ${price}`;

/** Limits a quantity to the stock and to the maximum of one line. */
export const clampedQuantity = (quantity: SQL) =>
  sql`min(${quantity}, ${MAX_QUANTITY}, coalesce(${products.stockQuantity}, ${MAX_QUANTITY}))`;

export const beforeColumns = {
  name: productOffers.name,
  optionValues: productOffers.optionValues,
  status: products.status,
  price: productOffers.price,
  stockQuantity: products.stockQuantity,
  options: products.options,
  quantity: cartItems.quantity,
};

/** Statement that updates a cart's `updated_at` and expiry. */
export const touchCart = (db: Database, owner: CartOwner, now: number) =>
  db
    .update(carts)
    .set({ updatedAt: now, expiresAt: owner.kind === "user" ? null : now + GUEST_CART_MS })
    .where(ownedBy(owner, now));

const itemOf = (owner: CartOwner, id: number, now: number): SQL | undefined =>
  and(eq(cartItems.id, id), isInCart(owner, now));

/** A line of the owner's cart, by its id. */
type CartLineRef = { owner: CartOwner; id: number };

/** Sets the quantity of a line, clamped to the stock. A line that cannot be bought is left unchanged. */
export async function setCartItem(
  { db, author: { now } }: AuthorContext,
  { owner, id, change: { quantity, price } }: CartLineRef & { change: CartItemUpdate },
) {
  const before = db
    .select({ ...beforeColumns, variants: offeredVariants })
    .from(cartItems)
    .innerJoin(products, eq(products.id, cartItems.productId))
    .innerJoin(productOffers, eq(productOffers.id, products.id))
    .where(itemOf(owner, id, now));
  const line = statement(
    db,
    sql`
    UPDATE cart_items SET quantity = ${clampedQuantity(sql`${quantity}`)}, seen_price = products.price
    FROM products WHERE products.id = cart_items.product_id AND ${forSaleAt(price)} AND ${itemOf(owner, id, now)}`,
  );
  const [[item], , , [cart], lines] = await db.batch([
    before,
    line,
    touchCart(db, owner, now),
    selectCart(db, owner, now),
    selectLines(db, owner, now),
  ]);
  return { before: item, cart, lines };
}

/** Returns false if the line does not exist. */
export async function removeCartItem(
  { db, author: { now } }: AuthorContext,
  { owner, id }: CartLineRef,
): Promise<boolean> {
  const [removed] = await db.batch([
    db
      .delete(cartItems)
      .where(itemOf(owner, id, now))
      .returning({ id: cartItems.id }),
    touchCart(db, owner, now),
  ]);
  return removed.length > 0;
}

/** Deletes expired guest carts and their lines. */
export const deleteExpiredGuestCarts = (db: Database, now: number): Promise<void> =>
  workOffInBulk(db, now, { queue: "delete_guest_carts", id: carts.id, where: lte(carts.expiresAt, now) });

/** Removes all lines but keeps the cart and its token. Returns undefined if the cart does not exist. */
export async function clearCart(
  { db, author: { now } }: AuthorContext,
  owner: CartOwner,
): Promise<CartRow | undefined> {
  const [, , [cart]] = await db.batch([
    db.delete(cartItems).where(isInCart(owner, now)),
    touchCart(db, owner, now),
    selectCart(db, owner, now),
  ]);
  return cart;
}

const ADDED = "Added to the cart";

/** Returns the message for an addition to the cart, or throws if nothing was written. */
export function additionOutcome(
  before: LineBefore | null,
  { cart, lines }: CartView,
  { product_id, quantity, price }: CartItemCreate,
  isRepeated: boolean,
) {
  if (before?.status !== "active") throw badRequest(fieldError("product_id", "not_for_sale", "is not for sale"));
  if (before.options.length > 0) throw badRequest(chooseVariant("product_id", before));
  if (before.stockQuantity === 0) throw badRequest(outOfStock("product_id", "is out of stock"));
  requirePrice(before, price);
  if (!cart) throw notFound("The cart in X-Cart-Token");
  const line = lines.find((candidate) => candidate.productId === product_id);
  // The line may have been removed since the original request.
  if (!line && isRepeated) return ADDED;
  if (!line) throw badRequest(cartFull);
  return sentence(before, (before.quantity ?? 0) + quantity, line.quantity) ?? ADDED;
}

/** Returns the message for a changed quantity, or throws if nothing was written. */
export function changeOutcome(
  before: LineBefore | undefined,
  { lines }: CartView,
  { quantity, price }: CartItemUpdate,
  id: number,
) {
  const line = lines.find((candidate) => candidate.id === id);
  if (!before || !line) throw notFound(`Cart item ${id}`);
  if (before.status !== "active")
    throw badRequest(fieldError("quantity", "not_for_sale", `${nameWithValues(before)} is no longer for sale`));
  if (before.options.length > 0) throw badRequest(chooseVariant("quantity", before));
  if (before.stockQuantity === 0) throw badRequest(outOfStock("quantity", `${nameWithValues(before)} is out of stock`));
  requirePrice(before, price);
  return sentence(before, quantity, line.quantity) ?? "Cart updated";
}

function requirePrice(before: LineBefore, price: number | undefined): void {
  if (price !== undefined && price !== before.price) throw badRequest(priceChanged("price", before));
}

const outOfStock = (field: string, words: string) => fieldError(field, "insufficient_stock", words, { available: 0 });

const cartFull = fieldError("product_id", "cart_full", `does not fit: the cart already has ${MAX_LINES} lines`, {
  limit: MAX_LINES,
});

function sentence(before: LineBefore, wanted: number, got: number): string | undefined {
  const { stockQuantity } = before;
  const name = nameWithValues(before);
  if (got >= wanted) return undefined;
  return stockQuantity === got
    ? `Only ${got} of ${name} are in stock: the cart now has ${got}`
    : `A line can have at most ${MAX_QUANTITY} units: the cart now has ${got} of ${name}`;
}

/** The error for an outdated price, with the current one. `price` is in minor units. */
export const priceChanged = (
  field: string,
  product: { name: string; optionValues: readonly OptionValue[]; price: number },
): FieldError => {
  const words = `the price of ${nameWithValues(product)} is now ${formatAmount(product.price)}`;
  return fieldError(field, "price_changed", words, { price: toDecimal(product.price) });
};

/** The error for a product that is sold in variants. Prices of `variants` are in minor units. */
export function chooseVariant(
  field: string,
  { name, variants: { id, total, first } }: { name: string; variants: OfferedVariants },
): FieldError {
  const rest =
    first.length < total ? `. GET /products/${id} has all ${total}, of which ${first.length} are listed here` : "";
  return fieldError(field, "choose_variant", `${name} is sold in variants: choose one of them${rest}`, {
    variants: first.map((variant) => ({ ...variant, price: toDecimal(variant.price) })),
    variants_total: total,
  });
}
