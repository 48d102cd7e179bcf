import { eq, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../../domain/errors.ts";
import type { WriteContext } from "../../../platform/auth/write-context.ts";
import type { Database } from "../../../platform/db/client.ts";
import { orderItems, products, stockAllocations } from "../../../platform/db/schema.ts";
import { savedTimeZone } from "../../../platform/db/time-zone.ts";
import type { AnyDiscount, ChosenShipping } from "../../pricing/public.ts";
import { NO_LIMITS, toDiscount, toShipping } from "../by-hand/place.ts";
import type { CheckoutDraft, DraftLine } from "../checkout/draft.ts";
import type { ItemRow, OrderRow } from "../schemas.ts";
import type { EditContent } from "./schemas.ts";

/** Reads what the order's lines were priced with, the stock that each holds, and the shop's time zone. */
export const readSoldLines = (db: Database, orderId: number) =>
  db
    .select({
      id: orderItems.id,
      productId: orderItems.productId,
      categoryId: orderItems.categoryId,
      taxClass: orderItems.taxClass,
      weightGrams: orderItems.weightGrams,
      parentId: products.parentId,
      held: sql<number>`coalesce(${stockAllocations.quantity}, 0)`.as("held"),
      timeZone: savedTimeZone.as("time_zone"),
    })
    .from(orderItems)
    .innerJoin(products, eq(products.id, orderItems.productId))
    .leftJoin(stockAllocations, eq(stockAllocations.orderItemId, orderItems.id))
    .where(eq(orderItems.orderId, orderId));
export type SoldLine = Awaited<ReturnType<typeof readSoldLines>>[number];

type Edited = { order: OrderRow; sold: readonly SoldLine[]; content: EditContent };

/**
 * The draft of an order after an edit, apart from shipping. It is priced as if it was placed at its own time: discounts that
 * have ended since still apply. Lines that stay come first, in their order.
 */
export function draftOfEdit(
  { settings }: Pick<WriteContext, "settings">,
  { order, sold, content }: Edited,
): CheckoutDraft {
  const { userId, customerEmail: email, customerName: name } = order;
  return {
    userId,
    apiKeyId: order.apiKeyId,
    lines: linesAfter({ order, sold, content }),
    customer: userId === null && email !== null ? { email, name: name ?? "" } : undefined,
    shippingAddress: content.shipping_address === undefined ? order.shippingAddress : content.shipping_address,
    billingAddress: content.billing_address === undefined ? order.billingAddress : content.billing_address,
    shippingMethodId: null,
    manualDiscount: discountAfter(order, content),
    discountCodes: content.discount_codes ?? order.discounts.flatMap(({ code }) => code ?? []),
    taxExemptReason: content.tax_exempt_reason === undefined ? order.taxExemptReason : content.tax_exempt_reason,
    currency: order.currency,
    unpaidLimits: NO_LIMITS,
    verifiedBuyers: false,
    takesTestCards: settings.test !== null,
    sandbox: order.sandbox,
    fingerprint: null,
    keyed: false,
    editedOrderId: order.id,
    now: order.createdAt,
  };
}

/** Position of each line of the draft in the request. */
export const requestedOrder = ({ items }: EditContent): number[] =>
  (items ?? [])
    .map(({ id }, place) => ({ id: id ?? Number.POSITIVE_INFINITY, place }))
    .toSorted((one, other) => (one.id === other.id ? one.place - other.place : one.id - other.id))
    .map(({ place }) => place);

function linesAfter({ order, sold, content }: Edited): DraftLine[] {
  const facts = new Map(sold.map((line) => [line.id, line]));
  const items = new Map(order.items.map((item) => [item.id, item]));
  const keep = (item: ItemRow): DraftLine => keptLine(item, facts.get(item.id));
  if (!content.items) return order.items.map(keep);
  const asked = content.items;
  return requestedOrder(content).map((place) => {
    const { id, product_id: productId = 0, quantity, unit_price: price } = asked[place] ?? { quantity: 0 };
    if (id === undefined) return { productId, quantity, unitPrice: price ?? 0, listPrice: price };
    const item = items.get(id);
    if (!item) {
      const words = "is not an item of this order, or is listed twice";
      throw badRequest(fieldError(`items.${place}.id`, "unknown_reference", words));
    }
    items.delete(id);
    const line = { ...keep(item), quantity };
    if (price === undefined || price === item.unitPrice) return line;
    return { ...line, unitPrice: price, listPrice: item.listPrice ?? item.unitPrice };
  });
}

const keptLine = (item: ItemRow, sold: SoldLine | undefined): DraftLine => ({
  productId: item.productId,
  quantity: item.quantity,
  unitPrice: item.unitPrice,
  listPrice: item.listPrice ?? undefined,
  kept: {
    id: item.id,
    quantity: item.quantity,
    facts: {
      type: item.type,
      requiresShipping: item.requiresShipping,
      categoryId: sold?.categoryId ?? null,
      taxClass: sold?.taxClass ?? "standard",
      weightGrams: sold?.weightGrams ?? null,
      parentId: sold?.parentId ?? null,
    },
  },
});

/** Shipping after the edit. It stays as it is, unless nothing is left to ship. */
export function shippingAfter(
  { shippingMethod, shippingTotal }: OrderRow,
  { shipping_method: id, custom_shipping: custom }: EditContent,
  sends: boolean,
): { shippingMethodId: number | null; customShipping?: ChosenShipping } {
  if (custom) return { shippingMethodId: null, customShipping: toShipping(custom) };
  if (id !== undefined) return { shippingMethodId: id };
  if (!shippingMethod || !sends) return { shippingMethodId: null };
  return shippingMethod.id === null
    ? { shippingMethodId: null, customShipping: { ...shippingMethod, price: shippingTotal } }
    : { shippingMethodId: shippingMethod.id };
}

/** The discount by staff after the edit. One that stays keeps its terms. */
function discountAfter({ discounts }: OrderRow, { discount: sent }: EditContent): AnyDiscount | undefined {
  if (sent) return toDiscount(sent);
  const before = discounts.find(({ given }) => given !== undefined);
  if (sent === null || !before?.given) return undefined;
  const { amount, percent } = before.given;
  return toDiscount({ amount: amount ?? undefined, percent: percent ?? undefined, reason: before.name });
}
