import * as z from "zod";
import { Id, isoOrNull, line, Moment } from "../../domain/fields.ts";
import { Amount, toDecimalOrNull } from "../../domain/money.ts";
import { Reduction, toPercentOrNull } from "../../domain/percent.ts";
import { MAX_QUANTITY } from "../../domain/quantity.ts";
import { declareFields, distinct } from "../../platform/administration/fields.ts";
import { discountKinds, type discounts } from "../../platform/db/schema.ts";

export type DiscountRow = typeof discounts.$inferSelect;

/** What people decide of a discount. */
export type DiscountState = Omit<DiscountRow, "id" | "uses" | "createdAt" | "updatedAt">;

/** What a buyer types, in whatever case: it is kept in capitals. */
const Code = z
  .string()
  .trim()
  .min(3)
  .max(40)
  .regex(/^[A-Za-z0-9_-]*$/, "must be of the letters A to Z, digits, - and _")
  .toUpperCase();

const Units = z.int().min(1).max(MAX_QUANTITY).nullable();
const Uses = z.int().min(1).max(1_000_000_000).nullable();

/** The fields of a discount that administrators edit. Money is read as minor units, percentages as millionths. */
export const discountFields = declareFields<DiscountState>()({
  name: { column: "name", schema: line(100).describe("Buyers read it") },
  code: {
    column: "code",
    schema: Code.nullable().describe("What buyers type, in any case; null for a discount that applies by itself"),
    initial: null,
  },
  kind: { column: "kind", schema: z.enum(discountKinds) },
  percent: {
    column: "percent",
    schema: Reduction.nullable().describe(
      "Of `percentage`; of `buy_x_get_y` what the units that are got are reduced by, 100 unless it is sent",
    ),
    initial: null,
    audited: toPercentOrNull,
  },
  amount: {
    column: "amount",
    schema: Amount.nullable().describe("Of `amount`: money off all that it covers together"),
    initial: null,
    audited: toDecimalOrNull,
  },
  buy_quantity: {
    column: "buyQuantity",
    schema: Units.describe("Of `buy_x_get_y`: units at the full price"),
    initial: null,
  },
  get_quantity: {
    column: "getQuantity",
    schema: Units.describe("Of `buy_x_get_y`: units beside them that are reduced, the cheapest"),
    initial: null,
  },
  product_ids: {
    column: "productIds",
    stored: distinct,
    schema: z.array(Id).max(500).describe("Products that it covers; everything if there are no categories either"),
    initial: [],
  },
  category_ids: {
    column: "categoryIds",
    stored: distinct,
    schema: z.array(Id).max(100).describe("Categories whose products it covers"),
    initial: [],
  },
  minimum_subtotal: {
    column: "minimumSubtotal",
    schema: Amount.nullable().describe("What the order has to come to before discounts"),
    initial: null,
    audited: toDecimalOrNull,
  },
  first_order_only: {
    column: "firstOrderOnly",
    schema: z.boolean().describe("For customers without an order that was neither cancelled nor expired"),
    initial: false,
  },
  starts_at: {
    column: "startsAt",
    schema: Moment.nullable().describe("Null is at once"),
    initial: null,
    audited: isoOrNull,
  },
  ends_at: { column: "endsAt", schema: Moment.nullable().describe("Null is never"), initial: null, audited: isoOrNull },
  max_uses: { column: "maxUses", schema: Uses.describe("Orders; null is without limit"), initial: null },
  max_uses_per_customer: {
    column: "maxUsesPerCustomer",
    schema: Uses.describe("Orders of one account, or of one guest's e-mail address; null is without limit"),
    initial: null,
  },
  combinable: {
    column: "combinable",
    schema: z.boolean().describe("Whether others that are combinable apply to the same order"),
    initial: true,
  },
  priority: {
    column: "priority",
    schema: z.int().min(-1_000).max(1_000).describe("Lower ones apply first, then older ones, each to what is left"),
    initial: 0,
  },
  enabled: { column: "enabled", schema: z.boolean(), initial: true },
});
