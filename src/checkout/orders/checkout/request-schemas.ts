import * as z from "zod";
import { Address } from "../../../domain/address.ts";
import { Email } from "../../../domain/email.ts";
import { Id, IdText, line } from "../../../domain/fields.ts";
import { Price } from "../../../domain/money.ts";
import { paymentMethods } from "../../../domain/payment-methods.ts";
import { MAX_LINES, Quantity } from "../../../domain/quantity.ts";
import { coded } from "../../../domain/rules.ts";
import { orderStatuses } from "../../../platform/db/schema.ts";
import { pageFields } from "../../../platform/http/pagination.ts";

const OrderLine = z.strictObject({
  product_id: Id,
  quantity: Quantity,
  price: Price.describe("What the buyer saw: it has to be the catalogue's price still"),
});

/** A list that is measured before it is read: ten thousand lines cost nothing. */
const measured = <Line extends z.ZodType>(line: Line) => z.array(z.unknown()).min(1).max(MAX_LINES).pipe(z.array(line));

/** Arguments of `refine` that refuse one field together with another. */
const oneOf = <First extends string, Second extends string>(first: First, second: Second) => {
  const path: PropertyKey[] = [second];
  const isOne = (sent: { [Name in First | Second]?: unknown }) => !sent[first] || sent[second] === undefined;
  return [isOne, { path, error: `is instead of ${first}: send one of the two`, ...coded("not_applicable") }] as const;
};

/** As buyers type it. */
const DiscountCode = line(40).transform((code) => code.toUpperCase());

/** What an order and its quote have in common. */
const checkoutFields = {
  shipping_address: Address.nullish().describe("Needed when anything is sent"),
  shipping_address_id: Id.optional().describe("Instead: one of the account's address book"),
  billing_address: Address.nullish().describe("Who the invoice is for, where that is somebody else"),
  billing_address_id: Id.optional().describe("Instead: one of the account's address book"),
  shipping_method: Id.optional().describe("The id of one of the quote's `shipping_options`; without it the cheapest"),
  discount_codes: z.array(DiscountCode).max(10).optional().describe("In either case"),
  customer: z
    .strictObject({ email: Email, name: line(100) })
    .optional()
    .describe("Who a guest order is for"),
  tax_exempt_reason: line(200)
    .optional()
    .describe("Why no tax is taken of this order, such as a VAT number: for API keys with `orders:write`"),
};

/** Prices are read as minor units. */
export const NewOrder = z
  .strictObject({
    items: measured(OrderLine),
    ...checkoutFields,
    payment_method: z.enum(paymentMethods),
    expected_total: Price.optional().describe(
      "What the buyer agreed to pay, as quoted: an order that would cost another total is refused with `total_changed`",
    ),
  })
  .refine(...oneOf("shipping_address", "shipping_address_id"))
  .refine(...oneOf("billing_address", "billing_address_id"))
  .meta({ id: "NewOrder" });
export type NewOrder = z.output<typeof NewOrder>;

export const QuoteRequest = z
  .strictObject({
    items: measured(OrderLine.omit({ price: true })).optional(),
    cart: z.literal(true).optional().describe("Instead of items: what is in the cart"),
    ...checkoutFields,
    payment_method: z.enum(paymentMethods).optional().describe("To know whether it can pay"),
  })
  .refine(({ items, cart }) => (items === undefined) !== (cart === undefined), {
    path: ["items"],
    error: "send either items or cart: true",
    ...coded("required"),
  })
  .refine(...oneOf("shipping_address", "shipping_address_id"))
  .refine(...oneOf("billing_address", "billing_address_id"))
  .meta({ id: "QuoteRequest" });
export type QuoteRequest = z.output<typeof QuoteRequest>;

export const OrdersQuery = z.strictObject({ ...pageFields, status: z.enum(orderStatuses).optional() });
export type OrdersQuery = z.output<typeof OrdersQuery>;

export const OrderParam = z.object({ orderId: IdText });
