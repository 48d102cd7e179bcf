import * as z from "zod";
import { coded, Id, line, Quantity } from "../../../domain/fields.ts";
import { Money, Price } from "../../../domain/money.ts";
import { CustomShipping, ManualDiscount } from "../by-hand/schemas.ts";
import { Quote, QuoteLine } from "../create/quote.ts";
import { checkoutFields, measured, oneOf } from "../create/schemas.ts";

const EditedLine = z
  .strictObject({
    id: Id.optional().describe("Id of one of the order's items, which keeps its price. Replaces `product_id`"),
    product_id: Id.optional().describe("Product to add, at its current price. Replaces `id`"),
    quantity: Quantity,
    unit_price: Price.optional().describe(
      "Replaces the current or catalogue price. Requires the permission `payments:write`",
    ),
  })
  .refine(({ id, product_id }) => (id === undefined) !== (product_id === undefined), {
    path: ["product_id"],
    error: "send either the id of an item or a product_id",
    ...coded("required"),
  });

const contentFields = {
  items: measured(EditedLine)
    .optional()
    .describe("All items of the order after the edit. Items that are left out are removed"),
  shipping_address: checkoutFields.shipping_address,
  billing_address: checkoutFields.billing_address,
  shipping_method: checkoutFields.shipping_method.describe("Id of one of the quote's `shipping_options`"),
  custom_shipping: CustomShipping.optional().describe(
    "Shipping with its own name and price. Replaces `shipping_method`. Requires the permission `payments:write`",
  ),
  discount_codes: checkoutFields.discount_codes.describe("All discount codes of the order after the edit"),
  discount: ManualDiscount.nullish().describe(
    "Discount on the items, replacing an earlier discount by staff. Null removes it. Requires the permission `payments:write`",
  ),
  tax_exempt_reason: line(200).nullish(),
};

/** The content of an order after an edit, to be quoted. */
export const EditContent = z
  .strictObject(contentFields)
  .refine(...oneOf("shipping_method", "custom_shipping"))
  .meta({ id: "EditContent", description: "Content to change. Omitted content is unchanged" });
export type EditContent = z.output<typeof EditContent>;

/** An edit of a placed order. Prices are parsed as minor units. */
export const OrderEditCreate = z
  .strictObject({
    ...contentFields,
    expected_total: Price.describe(
      "Total from the quote of the edit. A different total is rejected with `total_changed`",
    ),
    received: z
      .boolean()
      .default(false)
      .describe(
        "True if the shop has received the difference of a paid order that now costs more. Required then, unless the order was paid by wallet. Requires the permission `payments:write`",
      ),
    note: line(500).optional().describe("Note for the order's history. The buyer can read it"),
    notify: z
      .boolean()
      .default(false)
      .describe("True to e-mail the edited order to the buyer. Nothing is sent if only a note is added"),
  })
  .refine(...oneOf("shipping_method", "custom_shipping"))
  .meta({ id: "OrderEditCreate", description: "An edit of a placed order. Omitted content is unchanged" });
export type OrderEditCreate = z.output<typeof OrderEditCreate>;

const settlements = ["none", "unpaid", "charge_wallet", "receive", "refund"] as const;
export type Settlement = (typeof settlements)[number];

export const EditQuote = Quote.omit({
  payment_options: true,
  shipping_countries: true,
  warnings: true,
  terms: true,
  asks_download_consent: true,
})
  .extend({
    items: z.array(QuoteLine.extend({ id: z.int().nullable().describe("Id of the order's item. Null for a new one") })),
    previous_total: Money,
    difference: Money.describe("New total less the previous one. Negative if the order costs less"),
    settlement: z
      .enum(settlements)
      .describe(
        "How the difference is settled. `unpaid`: the buyer pays the new total. `charge_wallet`: the wallet pays it. " +
          "`receive`: the shop has to receive it another way. `refund`: the buyer gets it back",
      ),
  })
  .meta({ id: "EditQuote", description: "The price of an order after an edit" });
export type EditQuote = z.output<typeof EditQuote>;
