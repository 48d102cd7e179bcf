import * as z from "zod";
import { Money } from "../../../domain/money.ts";
import { productTypes } from "../../../platform/db/schema.ts";
import { DiscountLine, ShippingMethod, TaxLine } from "../total-schemas.ts";

const QuoteLine = z.object({
  product_id: z.int(),
  name: z.string().nullable().describe("Null for what is not for sale"),
  sku: z.string().nullable(),
  type: z.enum(productTypes).nullable(),
  quantity: z.int(),
  unit_price: Money,
  total: Money.describe("Units times price"),
  discount: Money,
  tax: Money,
  tax_lines: z.array(TaxLine),
});

const ShippingOption = z
  .object({ ...ShippingMethod.shape, price: Money })
  .meta({ id: "ShippingOption", description: "`kind` is `pickup` for what the buyer fetches" });

const QuoteProblem = z.looseObject({ field: z.string(), code: z.string(), message: z.string() }).meta({
  id: "QuoteProblem",
  description: "What would refuse the order: field, code and further members as in an error's `details`",
});

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
    total: Money.describe("For `expected_total` of the order"),
    tax_lines: z.array(TaxLine),
    tax_exempt_reason: z.string().nullable(),
    discounts: z.array(DiscountLine),
    shipping_method: ShippingOption.nullable().describe("The one that was chosen, else the cheapest"),
    shipping_options: z.array(ShippingOption).describe("The cheapest first, picking up last"),
    problems: z.array(QuoteProblem).describe("Empty for what can be ordered"),
  })
  .meta({ id: "Quote" });
export type Quote = z.output<typeof Quote>;
