import * as z from "zod";
import { iso, isoOrNull, Timestamp } from "../../../domain/fields.ts";
import { toDecimal } from "../../../domain/money.ts";
import { toPercent } from "../../../domain/percent.ts";
import { draftOrderStatuses, type draftOrders } from "../../../platform/db/schema.ts";
import { pageFields } from "../../../platform/http/pagination.ts";
import { DraftContent } from "../by-hand/schemas.ts";
import { Quote } from "../checkout/quote.ts";

export type DraftRow = typeof draftOrders.$inferSelect;

export const DraftOrder = z
  .object({
    id: z.int(),
    reference: z.string().describe("Reference of the order that the draft becomes"),
    status: z.enum(draftOrderStatuses).describe("`sent` once the buyer has the link, `placed` once it is an order"),
    user_id: z.int().nullable().describe("Id of the account that the draft is for. Null for a guest"),
    content: z.record(z.string(), z.unknown()).describe("The draft in the shape of `DraftContent`"),
    order_id: z.int().nullable().describe("Id of the placed order"),
    sent_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "DraftOrder", description: "An order that staff prepare. It holds no stock" });

export const QuotedDraft = DraftOrder.extend({
  quote: Quote.nullable().describe("Current price and problems of the draft. Null once it is placed"),
}).meta({ id: "QuotedDraft" });

export const toDraftOrder = (row: DraftRow): z.output<typeof DraftOrder> => ({
  id: row.id,
  reference: row.reference,
  status: row.status,
  user_id: row.userId,
  content: row.content,
  order_id: row.orderId,
  sent_at: isoOrNull(row.sentAt),
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

export const DraftsQuery = z.strictObject({ ...pageFields, status: z.enum(draftOrderStatuses).optional() });
export type DraftsQuery = z.output<typeof DraftsQuery>;

/** The content in the shape of a request, as it is stored. */
export const storedContent = ({ items, discount, custom_shipping, ...content }: DraftContent): DraftRow["content"] => ({
  ...content,
  items: items.map(({ unit_price, ...item }) => ({
    ...item,
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

export const contentOf = ({ content }: DraftRow): DraftContent => DraftContent.parse(content);
