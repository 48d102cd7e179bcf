import type { products, users } from "../db/schema.ts";
import { type FieldError, fieldError } from "../errors.ts";
import { inWords, toDecimal } from "../money.ts";
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

/** Everything that is wrong with an order; empty when it would now go through. */
export function refusalOf(draft: OrderDraft, state: OrderState): FieldError[] {
  const errors: FieldError[] = [];
  const asked = new Map<number, number>();
  let packages = 0;
  let sends = false;
  for (const [index, line] of draft.lines.entries()) {
    const product = state.products.get(line.productId);
    const soFar = (asked.get(line.productId) ?? 0) + line.quantity;
    asked.set(line.productId, soFar);
    if (product?.status !== "active") {
      errors.push(notForSale(index, line.productId));
      continue;
    }
    if (product.price !== line.unitPrice) errors.push(priceChanged(index, product));
    if (product.stockQuantity !== null && soFar > product.stockQuantity) {
      errors.push(insufficientStock(index, product.name, product.stockQuantity));
    }
    if (product.grantsFiles && draft.userId === null) errors.push(accountRequired(index, product));
    if (product.grantsFiles) packages += line.quantity;
    if (packages > MAX_PACKAGES) errors.push(tooManyPackages(index));
    sends ||= product.requiresShipping;
  }
  if (sends && !draft.shippingAddress) {
    errors.push(fieldError("shipping_address", "required", "is required: the order has something to send"));
  }
  const balance = state.user?.walletBalance ?? 0;
  if (draft.paymentMethod === "wallet" && balance < draft.total) errors.push(insufficientFunds(balance, draft.total));
  if (state.pendingOrders >= MAX_PENDING) errors.push(tooManyOpenOrders(state.pendingOrders));
  return errors;
}

const notForSale = (index: number, id: number) =>
  fieldError(`items.${index}.product_id`, "not_for_sale", `product ${id} is not for sale`);

const priceChanged = (index: number, { name, price }: Product) =>
  fieldError(`items.${index}.price`, "price_changed", `the price of ${name} is now ${inWords(price)}`, {
    price: toDecimal(price),
  });

function insufficientStock(index: number, name: string, available: number) {
  const left = available === 0 ? "is out of stock" : `has only ${available} left in stock`;
  return fieldError(`items.${index}.quantity`, "insufficient_stock", `${name} ${left}`, { available });
}

const accountRequired = (index: number, { name }: Product) =>
  fieldError(`items.${index}.product_id`, "account_required", `${name} needs a user token: a guest cannot download it`);

const tooManyPackages = (index: number) =>
  fieldError(
    `items.${index}.quantity`,
    "too_many_packages",
    `an order grants at most ${MAX_PACKAGES} download packages`,
    { limit: MAX_PACKAGES },
  );

const insufficientFunds = (balance: number, total: number) =>
  fieldError(
    "payment_method",
    "insufficient_funds",
    `the wallet holds ${inWords(balance)} and the order costs ${inWords(total)}`,
    { balance: toDecimal(balance) },
  );

const tooManyOpenOrders = (pending: number) =>
  fieldError("body", "too_many_open_orders", `${pending} orders wait to be paid: pay or cancel one of them first`, {
    limit: MAX_PENDING,
  });
