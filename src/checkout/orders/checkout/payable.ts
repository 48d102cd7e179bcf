import type { PayableOrder } from "../../payments/public.ts";
import type { OrderState } from "./order-state.ts";
import type { PricedOrder } from "./price-order.ts";

/** An order as a payment provider is told of it: the same lines and totals as in the order. */
export const payableOrder = (
  { number, total, currency, expiresAt, lines, pricing }: PricedOrder,
  { products }: OrderState,
): PayableOrder => ({
  number,
  total,
  currency,
  expiresAt,
  lines: lines.map(({ productId, quantity, unitPrice }, index) => ({
    name: products.get(productId)?.name ?? "",
    quantity,
    unitPrice,
    discount: pricing.lines[index]?.discount ?? 0,
  })),
  shipping: pricing.shippingTotal,
  shippingDiscount: pricing.shippingDiscount,
  taxAdded: pricing.pricesIncludeTax ? 0 : pricing.taxTotal,
});
