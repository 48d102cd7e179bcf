import * as z from "zod";
import { coded, ExternalId, Id, LineMetadata, line, Metadata, Quantity, Timestamp } from "../../../domain/fields.ts";
import { Amount, Price, toDecimal } from "../../../domain/money.ts";
import { isManualMethod, paymentMethods } from "../../../domain/payment-methods.ts";
import { Reduction, toPercent } from "../../../domain/percent.ts";
import { toRecord } from "../../../domain/record.ts";
import { draftOrderStatuses, type draftOrders } from "../../../platform/db/schema.ts";
import { pageFields } from "../../../platform/http/pagination.ts";
import { Quote } from "../create/quote.ts";
import { checkoutFields, measured, oneOf } from "../create/schemas.ts";

const StaffLine = z.strictObject({
  product_id: Id,
  quantity: Quantity,
  unit_price: Price.optional().describe("Replaces the catalogue price. Requires the permission `payments:write`"),
  metadata: LineMetadata.optional().describe("Texts on the item"),
});

export const ManualDiscount = z
  .strictObject({
    amount: Amount.optional().describe("Amount off the items. Replaces `percent`"),
    percent: Reduction.optional().describe("Percentage off the items. Replaces `amount`"),
    reason: line(100).describe("Shown to the buyer"),
  })
  .refine(({ amount, percent }) => (amount === undefined) !== (percent === undefined), {
    path: ["amount"],
    error: "must be either an amount or a percentage",
    ...coded("required"),
  });

export const CustomShipping = z.strictObject({ name: line(100), price: Price });

/** Fields shared by an order by staff and its quote. */
const contentFields = {
  user_id: Id.optional().describe("Account that the order belongs to. Replaces `customer`"),
  items: measured(StaffLine),
  ...checkoutFields,
  customer: checkoutFields.customer.describe("Contact of a guest. Replaces `user_id`"),
  tax_exempt_reason: line(200).optional(),
  discount: ManualDiscount.optional().describe(
    "Discount on the items, applied after all other discounts. Requires the permission `payments:write`",
  ),
  custom_shipping: CustomShipping.optional().describe(
    "Shipping with its own name and price. Replaces `shipping_method`. Requires the permission `payments:write`",
  ),
  payment_method: z
    .enum(paymentMethods)
    .exclude(["wallet"])
    .describe("Unpaid orders wait for a bank transfer, an invoice or cash"),
  note: line(500).optional().describe("For the order's history. The buyer can read it"),
};

const hasBuyer = ({ user_id, customer }: { user_id?: unknown; customer?: unknown }) =>
  (user_id ?? customer) !== undefined;

const NO_BUYER = {
  path: ["customer"] as PropertyKey[],
  error: "is missing. Choose an account, or enter a guest's e-mail address and name",
  ...coded("required"),
};

/** Days that staff may give a buyer to pay. */
const MOST_DAYS = 365;

/** Payment terms agreed with staff. */
const termsFields = {
  paid: z
    .boolean()
    .default(false)
    .describe("True if the shop has the payment already. Requires the permission `payments:write`"),
  pay_within_days: z
    .int()
    .min(1)
    .max(MOST_DAYS)
    .optional()
    .describe("Days until an unpaid order expires. Defaults to no limit"),
  expected_total: Price.optional().describe("Total from a quote. A different total is rejected with `total_changed`"),
};

const onlyUnpaid = [
  ({ paid, pay_within_days }: { paid: boolean; pay_within_days?: number | undefined }) =>
    !paid || pay_within_days === undefined,
  { path: ["pay_within_days"] as PropertyKey[], error: "is only for unpaid orders", ...coded("not_applicable") },
] as const;

/** An order that staff place. Prices are parsed as minor units. */
export const AdminOrderCreate = z
  .strictObject({
    ...contentFields,
    ...termsFields,
    external_id: ExternalId.optional().describe("Id in another system, such as a marketplace. Unique among orders"),
    metadata: Metadata.optional().describe("Texts that programs keep on the order. The buyer can read them"),
  })
  .refine(hasBuyer, NO_BUYER)
  .refine(...oneOf("user_id", "customer"))
  .refine(...oneOf("shipping_method", "custom_shipping"))
  .refine(...oneOf("shipping_address", "shipping_address_id"))
  .refine(...oneOf("billing_address", "billing_address_id"))
  .refine(...onlyUnpaid)
  .refine(({ paid, payment_method }) => paid || isManualMethod(payment_method), {
    path: ["payment_method"],
    error:
      "is paid online by the buyer. Choose bank transfer, invoice or cash, mark the order as paid, or send a draft instead",
    ...coded("not_applicable"),
  })
  .meta({ id: "AdminOrderCreate", description: "Order placed by staff for a buyer" });
export type AdminOrderCreate = z.output<typeof AdminOrderCreate>;

/** An order that is calculated before it has a buyer. */
export const QuotedContent = z
  .strictObject(contentFields)
  .refine(...oneOf("user_id", "customer"))
  .refine(...oneOf("shipping_method", "custom_shipping"))
  .refine(...oneOf("shipping_address", "shipping_address_id"))
  .refine(...oneOf("billing_address", "billing_address_id"));

/** An order that staff prepare for a buyer, to be placed later. */
export const DraftContent = QuotedContent.refine(hasBuyer, NO_BUYER).meta({
  id: "DraftContent",
  description: "The content of a draft order",
});
export type DraftContent = z.output<typeof DraftContent>;

export const DraftPlacement = z
  .strictObject(termsFields)
  .refine(...onlyUnpaid)
  .meta({ id: "DraftPlacement", description: "Terms of the order" });
export type DraftPlacement = z.output<typeof DraftPlacement>;

export type DraftRow = typeof draftOrders.$inferSelect;

export const DraftOrder = z
  .object({
    id: z.int(),
    reference: z.string().describe("Reference of the order placed from the draft"),
    status: z.enum(draftOrderStatuses).describe("`sent` once the buyer has the link, `placed` once it is an order"),
    user_id: z.int().nullable().describe("Id of the account that the draft is for. Null for a guest"),
    content: z.record(z.string(), z.unknown()).describe("The draft in the shape of `DraftContent`"),
    order_id: z.int().nullable().describe("Id of the placed order"),
    sent_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "DraftOrder", description: "An order prepared by staff. It holds no stock" });

export const DraftOrderQuote = DraftOrder.extend({
  quote: Quote.nullable().describe("Current price and problems of the draft. Null once it is placed"),
}).meta({ id: "DraftOrderQuote" });

export const toDraftOrder = (row: DraftRow): z.output<typeof DraftOrder> =>
  toRecord(DraftOrder, row, {
    content: withoutNames(row),
  });

export const DraftsQuery = z.strictObject({ ...pageFields, status: z.enum(draftOrderStatuses).optional() });
export type DraftsQuery = z.output<typeof DraftsQuery>;

/** Names of products by id. */
type Names = ReadonlyMap<number, { name: string }>;

const NamedItems = z.object({ items: z.array(z.looseObject({ product_id: z.int(), name: z.string().optional() })) });

/** Names that products had when a draft was saved. A deleted product has no other. */
export const savedNames = ({ content }: Pick<DraftRow, "content">): Names =>
  new Map(NamedItems.parse(content).items.flatMap(({ product_id, name }) => (name ? [[product_id, { name }]] : [])));

const withoutNames = ({ content }: Pick<DraftRow, "content">): DraftRow["content"] => ({
  ...content,
  items: NamedItems.parse(content).items.map(({ name: _, ...item }) => item),
});

function nameIn(names: Names, id: number) {
  const name = names.get(id)?.name;
  return name === undefined ? {} : { name };
}

/** The content in the shape of a request, as it is stored: with the names of its products. */
export const storedContent = (
  { items, discount, custom_shipping, ...content }: DraftContent,
  names: Names,
): DraftRow["content"] => ({
  ...content,
  items: items.map(({ unit_price, ...item }) => ({
    ...item,
    ...nameIn(names, item.product_id),
    ...(unit_price !== undefined && { unit_price: toDecimal(unit_price) }),
  })),
  ...(discount && {
    discount: {
      reason: discount.reason,
      ...(discount.amount !== undefined && { amount: toDecimal(discount.amount) }),
      ...(discount.percent !== undefined && { percent: toPercent(discount.percent) }),
    },
  }),
  ...(custom_shipping && { custom_shipping: { ...custom_shipping, price: toDecimal(custom_shipping.price) } }),
});

export const contentOf = ({ content }: Pick<DraftRow, "content">): DraftContent =>
  DraftContent.parse(withoutNames({ content }));
