import * as z from "zod";
import { Money, toDecimal } from "../../domain/money.ts";
import { type orderItems, productTypes } from "../../platform/db/schema.ts";
import { TaxLine, toTaxLines } from "./total-schemas.ts";

/** A line of an order, without what is known of the order already, or only matters while it is placed. */
export type ItemRow = Omit<typeof orderItems.$inferSelect, "orderId" | "categoryId" | "taxClass" | "weightGrams">;

export const OrderItem = z.object({
  id: z.int(),
  product_id: z.int(),
  name: z.string(),
  sku: z.string(),
  type: z.enum(productTypes),
  quantity: z.int(),
  unit_price: Money,
  total: Money.describe("Unit price multiplied by quantity"),
  discount: Money.describe("Discounts on this line item"),
  tax: Money.describe("Tax on this line item after discounts. Included in the price if `prices_include_tax` is true"),
  tax_lines: z.array(TaxLine),
  requires_shipping: z.boolean(),
  shipped_quantity: z.int().describe("Number of shipped units, including units refunded afterwards"),
  refunded_quantity: z.int().describe("Number of refunded units. Unshipped units are refunded first"),
});

export const toOrderItem = (item: ItemRow, pricesIncludeTax: boolean): z.output<typeof OrderItem> => ({
  id: item.id,
  product_id: item.productId,
  name: item.name,
  sku: item.sku,
  type: item.type,
  quantity: item.quantity,
  unit_price: toDecimal(item.unitPrice),
  total: toDecimal(item.total),
  discount: toDecimal(item.discount),
  tax: toDecimal(item.tax),
  tax_lines: toTaxLines(item.taxLines, pricesIncludeTax),
  requires_shipping: item.requiresShipping,
  shipped_quantity: item.shippedQuantity,
  refunded_quantity: item.refundedQuantity,
});
