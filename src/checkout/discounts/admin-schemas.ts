import * as z from "zod";
import { iso, isoOrNull, line, Timestamp } from "../../domain/fields.ts";
import { Money, toDecimalOrNull } from "../../domain/money.ts";
import { Percentage, toPercentOrNull } from "../../domain/percent.ts";
import { changesSomething } from "../../domain/rules.ts";
import { type Answered, changeShape, newShape } from "../../platform/administration/fields.ts";
import { discountKinds } from "../../platform/db/schema.ts";
import { pageFields } from "../../platform/http/pagination.ts";
import { type DiscountRow, discountFields } from "./fields.ts";
import { discountStates, discountStatus } from "./state.ts";

/** How administrators narrow the list of discounts. */
export const DiscountsQuery = z.strictObject({
  ...pageFields,
  state: z.enum(discountStates).optional(),
  kind: z.enum(discountKinds).optional(),
  search: line(100).optional().describe("First characters of the code or the name"),
});
export type DiscountsQuery = z.output<typeof DiscountsQuery>;

/** What a discount has beside depends on its kind. */
export const NewDiscount = z.strictObject(newShape(discountFields)).meta({ id: "NewDiscount" });
export type NewDiscount = z.output<typeof NewDiscount>;

export const DiscountChange = z
  .strictObject(changeShape(discountFields))
  .partial()
  .refine(...changesSomething)
  .meta({
    id: "DiscountChange",
    description:
      "Fields to change. Fields that are not sent keep their values. Changing the kind removes the fields of the previous kind",
  });
export type DiscountChange = z.output<typeof DiscountChange>;

export const Discount = z
  .object({
    id: z.int(),
    name: z.string(),
    code: z.string().nullable(),
    kind: z.enum(discountKinds),
    percent: Percentage.nullable(),
    amount: Money.nullable(),
    buy_quantity: z.int().nullable(),
    get_quantity: z.int().nullable(),
    product_ids: z.array(z.int()),
    category_ids: z.array(z.int()),
    minimum_subtotal: Money.nullable(),
    first_order_only: z.boolean(),
    starts_at: Timestamp.nullable(),
    ends_at: Timestamp.nullable(),
    max_uses: z.int().nullable(),
    max_uses_per_customer: z.int().nullable(),
    combinable: z.boolean(),
    priority: z.int(),
    enabled: z.boolean(),
    uses: z.int().describe("Number of orders with this discount, without cancelled and expired orders"),
    state: z.enum(discountStates).describe("State of the discount. `active` discounts apply now"),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies Answered<typeof discountFields>)
  .meta({ id: "Discount" });

/** The discount in the administration API, as it is at `now`. */
export const toDiscount = (row: DiscountRow, now: number): z.output<typeof Discount> => ({
  id: row.id,
  name: row.name,
  code: row.code,
  kind: row.kind,
  percent: toPercentOrNull(row.percent),
  amount: toDecimalOrNull(row.amount),
  buy_quantity: row.buyQuantity,
  get_quantity: row.getQuantity,
  product_ids: row.productIds,
  category_ids: row.categoryIds,
  minimum_subtotal: toDecimalOrNull(row.minimumSubtotal),
  first_order_only: row.firstOrderOnly,
  starts_at: isoOrNull(row.startsAt),
  ends_at: isoOrNull(row.endsAt),
  max_uses: row.maxUses,
  max_uses_per_customer: row.maxUsesPerCustomer,
  combinable: row.combinable,
  priority: row.priority,
  enabled: row.enabled,
  uses: row.uses,
  state: discountStatus(row, now),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
