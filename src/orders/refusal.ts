import type { products, users } from "../db/schema.ts";
import type { FieldErrors } from "../errors.ts";
import { inWords } from "../money.ts";
import type { OrderDraft } from "./draft.ts";

type Product = Pick<
  typeof products.$inferSelect,
  "name" | "status" | "price" | "stockQuantity" | "requiresShipping"
> & {
  /** Whether a unit of it grants a download package. */
  grantsFiles: boolean;
};

/** What one order may grant; the database says the same (order_item_grants_few). */
const MAX_PACKAGES = 100;

/** Orders of a user that wait to be paid; the database says the same (order_waits_with_few). */
const MAX_PENDING = 10;

/** What an order meets in the database: its products by id, and its user. */
export type OrderState = {
  products: Map<number, Product>;
  user: Pick<typeof users.$inferSelect, "walletBalance"> | undefined;
  pendingOrders: number;
};

/** Everything that is wrong with an order, by field; empty when it would now go through. */
export function refusalOf(draft: OrderDraft, state: OrderState): FieldErrors {
  const errors: FieldErrors = {};
  const asked = new Map<number, number>();
  let packages = 0;
  for (const [index, { productId, quantity, unitPrice }] of draft.lines.entries()) {
    const product = state.products.get(productId);
    const soFar = (asked.get(productId) ?? 0) + quantity;
    asked.set(productId, soFar);
    if (product?.status !== "active") {
      errors[`items.${index}.product_id`] = [`product ${productId} is not for sale`];
      continue;
    }
    if (product.price !== unitPrice) {
      errors[`items.${index}.price`] = [`the price of ${product.name} is now ${inWords(product.price)}`];
    }
    if (product.stockQuantity !== null && soFar > product.stockQuantity) {
      const left = product.stockQuantity === 0 ? "is out of stock" : `has only ${product.stockQuantity} left in stock`;
      errors[`items.${index}.quantity`] = [`${product.name} ${left}`];
    }
    if (product.grantsFiles) packages += quantity;
    if (product.grantsFiles && draft.userId === null) {
      errors[`items.${index}.product_id`] = [`${product.name} needs a user token: a guest cannot download it`];
    }
    if (packages > MAX_PACKAGES) {
      errors[`items.${index}.quantity`] = [`an order grants at most ${MAX_PACKAGES} download packages`];
    }
    if (product.requiresShipping && !draft.shippingAddress) {
      errors.shipping_address = ["is required: the order has something to send"];
    }
  }
  const balance = state.user?.walletBalance ?? 0;
  if (draft.paymentMethod === "wallet" && balance < draft.total) {
    errors.payment_method = [`the wallet holds ${inWords(balance)} and the order costs ${inWords(draft.total)}`];
  }
  if (state.pendingOrders >= MAX_PENDING) {
    errors.body = [`${state.pendingOrders} orders wait to be paid: pay or cancel one of them first`];
  }
  return errors;
}
