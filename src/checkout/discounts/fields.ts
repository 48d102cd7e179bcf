import * as z from "zod";
import { EndMoment, Id, isoOrNull, line, MAX_QUANTITY, Moment, Timestamp } from "../../domain/fields.ts";
import { Amount, Money, toDecimalOrNull } from "../../domain/money.ts";
import { Percentage, Reduction, toPercentOrNull } from "../../domain/percent.ts";
import { declareFields, distinct } from "../../platform/administration/fields.ts";
import { discountKinds, discountScopes, type discounts } from "../../platform/db/schema.ts";

export type DiscountRow = Omit<typeof discounts.$inferSelect, "foldedName">;

/** The fields of a discount that people set. */
export type DiscountState = Omit<DiscountRow, "id" | "uses" | "createdAt" | "updatedAt">;

/** Typed by buyers in any case, stored in upper case. */
const Code = z
  .string()
  .trim()
  .min(3)
  .max(40)
  .regex(/^[A-Za-z0-9_-]*$/, "may only contain the letters A to Z, digits, - and _")
  .toUpperCase();

const Units = z.int().min(1).max(MAX_QUANTITY).nullable();
const Uses = z.int().min(1).max(1_000_000_000).nullable();

export const kindLabels = {
  percentage: "Percentage off",
  amount: "Amount off",
  free_shipping: "Free shipping",
  buy_x_get_y: "Buy X, get Y",
} satisfies Record<DiscountRow["kind"], string>;

const scopeLabels = {
  all_products: "All products",
  selected_products: "Selected products and categories",
} satisfies Record<DiscountRow["appliesTo"], string>;

/** Discount fields that administrators can edit. Money is parsed as minor units, percentages as millionths. */
export const discountFields = declareFields<DiscountState>()({
  name: { schema: line(100).describe("Name of the discount, shown to buyers"), input: { hint: "Shown to customers." } },
  code: {
    schema: Code.nullable().describe("Code that buyers enter; case does not matter. Null for an automatic discount"),
    input: { hint: "The code customers enter; case does not matter. Leave empty to apply the discount automatically." },
  },
  kind: { schema: z.enum(discountKinds), input: { as: "choice", options: Object.entries(kindLabels) } },
  percent: {
    answer: Percentage.nullable(),
    schema: Reduction.nullable().describe(
      "Percentage off. For `buy_x_get_y`, the reduction of the free or discounted units (default 100)",
    ),
    audited: toPercentOrNull,
    input: { as: "percent", label: "Percent off" },
  },
  amount: {
    answer: Money.nullable(),
    schema: Amount.nullable().describe(
      "Amount off, for `amount` discounts, shared by all items that the discount covers",
    ),
    audited: toDecimalOrNull,
    input: { as: "money", hint: "Taken off all eligible items together." },
  },
  buy_quantity: {
    schema: Units.describe("Number of units to buy at the full price, for `buy_x_get_y`"),
    input: { label: "Units to buy", hint: "Units paid at full price." },
  },
  get_quantity: {
    schema: Units.describe("Number of additional units that are reduced, the cheapest ones, for `buy_x_get_y`"),
    input: { label: "Units to get", hint: "The cheapest eligible units." },
  },
  applies_to: {
    derived: true,
    schema: z
      .enum(discountScopes)
      .describe(
        "Products that the discount covers. Defaults to `selected_products` if `product_ids` or `category_ids` names any. Setting `all_products` clears both",
      ),
    input: { as: "choice", label: "Covers", options: Object.entries(scopeLabels) },
  },
  product_ids: {
    stored: distinct,
    schema: z
      .array(Id)
      .max(500)
      .describe(
        "Products that a discount on `selected_products` covers\n\nA deleted product leaves the list. The discount is disabled if that leaves it without products and categories",
      ),
    initial: [],
  },
  category_ids: {
    stored: distinct,
    schema: z
      .array(Id)
      .max(100)
      .describe("Categories that a discount on `selected_products` covers, including subcategories"),
    initial: [],
    input: { as: "choices", label: "Categories", hint: "A category includes those below it.", options: [] },
  },
  minimum_subtotal: {
    answer: Money.nullable(),
    schema: Amount.nullable().describe("Minimum subtotal of the order before discounts"),
    audited: toDecimalOrNull,
    input: { as: "money", hint: "Before discounts. Leave empty for no minimum." },
  },
  first_order_only: {
    schema: z
      .boolean()
      .describe("True for customers without a previous order that was not cancelled and has not expired"),
    initial: false,
    input: { label: "Only for a customer's first order" },
  },
  starts_at: {
    answer: Timestamp.nullable(),
    schema: Moment.nullable().describe("Start of the period. Null if the discount applies immediately"),
    audited: isoOrNull,
    input: { as: "moment", hint: "Leave empty to start now." },
  },
  ends_at: {
    answer: Timestamp.nullable(),
    schema: EndMoment.nullable().describe("Null if it never ends. A day counts until its end (UTC)"),
    audited: isoOrNull,
    input: { as: "moment", hint: "Leave empty for no end." },
  },
  max_uses: {
    schema: Uses.describe("Maximum number of orders. Null if unlimited"),
    input: { label: "Uses", hint: "Maximum number of orders. Leave empty for no limit." },
  },
  max_uses_per_customer: {
    schema: Uses.describe("Maximum number of orders per account or guest e-mail address. Null if unlimited"),
    input: { label: "Uses per customer", hint: "Counted per account or guest e-mail address." },
  },
  combinable: {
    schema: z.boolean().describe("True if other combinable discounts may apply to the same order"),
    initial: true,
    input: {
      label: "Combine with other discounts",
      hint: "If off, the customer gets either this discount or all others together, whichever saves more.",
    },
  },
  priority: {
    schema: z
      .int()
      .min(-1_000)
      .max(1_000)
      .describe("Lower priorities apply first, then older discounts, each to the remaining amount"),
    initial: 0,
    input: { hint: "Discounts with a lower number apply first, each to the remaining amount." },
  },
  enabled: { schema: z.boolean(), initial: true, input: {} },
});

/** States of a discount. All except `active` say why it does not apply. */
export const discountStates = ["active", "scheduled", "ended", "used_up", "disabled"] as const;
export type DiscountStatus = (typeof discountStates)[number];

type Facts = Pick<DiscountRow, "enabled" | "startsAt" | "endsAt" | "maxUses" | "uses">;

export function discountStatus({ enabled, startsAt, endsAt, maxUses, uses }: Facts, now: number): DiscountStatus {
  if (!enabled) return "disabled";
  if (endsAt !== null && endsAt <= now) return "ended";
  if (startsAt !== null && startsAt > now) return "scheduled";
  return maxUses !== null && uses >= maxUses ? "used_up" : "active";
}
