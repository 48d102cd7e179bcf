import * as z from "zod";
import { Address } from "../../../domain/address.ts";
import { Email } from "../../../domain/contact.ts";
import { coded, Id, IdText, LineMetadata, line, MAX_LINES, Metadata, Quantity } from "../../../domain/fields.ts";
import { Price } from "../../../domain/money.ts";
import { paymentMethods } from "../../../domain/payment-methods.ts";
import { orderStatuses } from "../../../platform/db/schema.ts";
import { pageFields } from "../../../platform/http/pagination.ts";

const OrderLine = z.strictObject({
  product_id: Id,
  quantity: Quantity,
  price: Price.describe("Unit price that the buyer saw. Must equal the current catalogue price"),
  metadata: LineMetadata.optional().describe("Texts on the item, such as an engraving. Buyer and staff can read them"),
});

/** Checks the length of a list before parsing its lines, so that ten thousand lines cost nothing. */
export const measured = <Line extends z.ZodType>(line: Line) =>
  z.array(z.unknown()).min(1).max(MAX_LINES).pipe(z.array(line));

/** Arguments of `refine` that refuse two fields sent together. */
export const oneOf = <First extends string, Second extends string>(first: First, second: Second) => {
  const path: PropertyKey[] = [second];
  const isOne = (sent: { [Name in First | Second]?: unknown }) => !sent[first] || sent[second] === undefined;
  return [
    isOne,
    { path, error: `cannot be combined with ${first}. Send one of the two`, ...coded("not_applicable") },
  ] as const;
};

/** Accepted in any case. */
const DiscountCode = line(40).transform((code) => code.toUpperCase());

/** Fields shared by an order and its quote. */
export const checkoutFields = {
  shipping_address: Address.nullish().describe("Required if any item has to be shipped"),
  shipping_address_id: Id.optional().describe("Id in the account's address book. Replaces `shipping_address`"),
  billing_address: Address.nullish().describe("If it differs from the shipping address"),
  billing_address_id: Id.optional().describe("Id in the account's address book. Replaces `billing_address`"),
  shipping_method: Id.optional().describe("Id from the quote's `shipping_options`. Defaults to the cheapest"),
  discount_codes: z.array(DiscountCode).max(10).optional().describe("Case does not matter"),
  customer: z
    .strictObject({ email: Email, name: line(100) })
    .optional()
    .describe("Contact of a guest who places the order"),
  tax_exempt_reason: line(200)
    .optional()
    .describe("Reason why the order is exempt from tax. Requires an API key with `orders:write`"),
};

/** A new order. Prices are parsed as minor units. */
export const OrderCreate = z
  .strictObject({
    items: measured(OrderLine),
    ...checkoutFields,
    payment_method: z
      .enum(paymentMethods)
      .describe(
        "How the order is paid, by one of the quote's `payment_options`. `credit_card` and `paypal` are also accepted without a payment provider, if the shop offers them: staff then mark the order as paid",
      ),
    metadata: Metadata.optional().describe("Texts that programs keep on the order. The buyer can read them"),
    note: line(500).optional().describe("Note from the buyer. It is in the first entry of the order's `history`"),
    accepted_terms: Id.optional().describe(
      "Version of the shop's terms that the buyer accepted, from the quote's `terms`. Required if the quote has them",
    ),
    download_consent: z
      .boolean()
      .optional()
      .describe(
        "True if the buyer asks for downloads at once and acknowledges that each one used ends its right of withdrawal. Ask if the quote's `asks_download_consent` is true",
      ),
    expected_total: Price.optional().describe(
      "Total that the buyer agreed to, from a quote. An order with a different total is rejected with `total_changed`",
    ),
  })
  .refine(...oneOf("shipping_address", "shipping_address_id"))
  .refine(...oneOf("billing_address", "billing_address_id"))
  .meta({ id: "OrderCreate" });
export type OrderCreate = z.output<typeof OrderCreate>;

export const QuoteRequest = z
  .strictObject({
    items: measured(OrderLine.omit({ price: true })).optional(),
    cart: z.literal(true).optional().describe("Quotes the contents of the cart. Replaces `items`"),
    ...checkoutFields,
    payment_method: z
      .enum(paymentMethods)
      .optional()
      .describe("Payment method to check. Methods that cannot pay the order are reported in `problems`"),
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
