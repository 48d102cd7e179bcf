import * as z from "zod";
import { Money } from "../../../domain/money.ts";
import { productTypes } from "../../../platform/db/schema.ts";
import { DiscountLine, ShippingMethod, TaxLine } from "../total-schemas.ts";

const QuoteLine = z.object({
  product_id: z.int(),
  name: z.string().nullable().describe("Name of the product. Null if it is not for sale"),
  sku: z.string().nullable(),
  type: z.enum(productTypes).nullable(),
  quantity: z.int(),
  unit_price: Money,
  total: Money.describe("Unit price multiplied by quantity"),
  discount: Money,
  tax: Money,
  tax_lines: z.array(TaxLine),
});

const ShippingOption = z
  .object({ ...ShippingMethod.shape, price: Money })
  .meta({ id: "ShippingOption", description: "A shipping option. `kind` is `pickup` if the buyer collects the order" });

const QuoteProblem = z.looseObject({ field: z.string(), code: z.string(), message: z.string() }).meta({
  id: "QuoteProblem",
  description: "A problem that would prevent the order, with the same members as an error's `details`",
});

const QuoteWarning = z
  .object({ field: z.string(), code: z.enum(["doubtful_postal_code"]), message: z.string() })
  .meta({ id: "QuoteWarning", description: "Something to check before ordering. It does not prevent the order" });

/** What an order would cost now. */
export const Quote = z
  .object({
    currency: z.string(),
    items: z.array(QuoteLine),
    subtotal: Money,
    discount_total: Money,
    shipping_total: Money,
    tax_total: Money,
    prices_include_tax: z.boolean(),
    total: Money.describe("Total to send as `expected_total` of the order"),
    tax_lines: z.array(TaxLine),
    tax_exempt_reason: z.string().nullable(),
    discounts: z.array(DiscountLine),
    shipping_method: ShippingOption.nullable().describe("Chosen shipping option, or the cheapest one"),
    shipping_options: z.array(ShippingOption).describe("Available shipping options, cheapest first and pickup last"),
    problems: z.array(QuoteProblem).describe("Problems that would prevent the order. Empty if the order can be placed"),
    warnings: z
      .array(QuoteWarning)
      .describe("Fields to show to the buyer again, such as a postal code of an unusual form. The order can be placed"),
  })
  .meta({ id: "Quote" });
export type Quote = z.output<typeof Quote>;
