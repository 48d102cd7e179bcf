import { badRequest, fieldError, notFound } from "../../domain/errors.ts";
import { priceChanged } from "../../domain/price-changed.ts";
import { MAX_LINES, MAX_QUANTITY } from "../../domain/quantity.ts";
import type { CartView, LineBefore } from "./queries.ts";
import type { CartAddition, CartItemChange } from "./schemas.ts";

const ADDED = "Added to the cart";

/** The message for an addition to the cart, or the refusal of what was not written. */
export function additionOutcome(
  before: LineBefore | null,
  { cart, lines }: CartView,
  { product_id, quantity, price }: CartAddition,
  isRepeated: boolean,
) {
  if (before?.status !== "active") throw badRequest(fieldError("product_id", "not_for_sale", "is not for sale"));
  if (before.stockQuantity === 0) throw badRequest(outOfStock("product_id", "is out of stock"));
  requirePrice(before, price);
  if (!cart) throw notFound("The cart that X-Cart-Token names");
  const line = lines.find((candidate) => candidate.productId === product_id);
  // The line of a repeated request may have been taken out since.
  if (!line && isRepeated) return ADDED;
  if (!line) throw badRequest(cartFull);
  return sentence(before, (before.quantity ?? 0) + quantity, line.quantity) ?? ADDED;
}

/** The message for a line whose quantity was set, or the refusal of what was not written. */
export function changeOutcome(
  before: LineBefore | undefined,
  { lines }: CartView,
  { quantity, price }: CartItemChange,
  id: number,
) {
  const line = lines.find((candidate) => candidate.id === id);
  if (!before || !line) throw notFound(`Cart item ${id}`);
  if (before.status !== "active")
    throw badRequest(fieldError("quantity", "not_for_sale", `${before.name} is no longer for sale`));
  if (before.stockQuantity === 0) throw badRequest(outOfStock("quantity", `${before.name} is out of stock`));
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

function sentence({ name, stockQuantity }: LineBefore, wanted: number, got: number): string | undefined {
  if (got >= wanted) return undefined;
  return stockQuantity === got
    ? `Only ${got} of ${name} are in stock: the cart now holds ${got}`
    : `A line holds at most ${MAX_QUANTITY}: the cart now holds ${got} of ${name}`;
}
