import { and, eq, gt, isNull } from "drizzle-orm";
import * as z from "zod";
import { Text } from "../../domain/fields.ts";
import { DAY_MS } from "../../domain/time.ts";
import { orderOfLink } from "../../platform/auth/order-link.ts";
import type { Database } from "../../platform/db/client.ts";
import { orders } from "../../platform/db/schema.ts";
import { readShopTexts, type ShopTexts } from "../../platform/email/emails.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { selectOrders } from "./orders.ts";
import { Order, OrderItem, type OrderRow, toOrder } from "./schemas.ts";

/** Lifetime of a link to an order: one year. */
const SHOWN_DAYS = 365;

/** The row of a link's guest order, and the shop's texts. Null if the link shows no order. */
export async function findGuestOrder(
  { db, settings }: { db: Database; settings: Pick<Settings, "linkSecrets" | "email"> },
  token: string,
  now: number,
): Promise<{ row: OrderRow; texts: ShopTexts } | null> {
  const reference = orderOfLink(settings.linkSecrets, token);
  if (reference === null) return null;
  const isShown = and(
    eq(orders.reference, reference),
    isNull(orders.userId),
    gt(orders.createdAt, now - SHOWN_DAYS * DAY_MS),
  );
  const [row, texts] = await Promise.all([selectOrders(db).where(isShown).get(), readShopTexts(db, settings.email)]);
  return row ? { row, texts } : null;
}

export const OrderLinkBody = z.strictObject({ token: Text.max(200).describe("Token in the link of the e-mail") });

const { shape } = Order;

/** Omits the buyer's name, addresses and internal notes, because somebody else may read the e-mail. */
export const GuestOrder = z
  .object({
    number: shape.number,
    reference: shape.reference,
    status: shape.status,
    payment_status: shape.payment_status,
    fulfillment_status: shape.fulfillment_status,
    currency: shape.currency,
    subtotal: shape.subtotal,
    discount_total: shape.discount_total,
    shipping_total: shape.shipping_total,
    tax_total: shape.tax_total,
    prices_include_tax: shape.prices_include_tax,
    total: shape.total,
    refunded_total: shape.refunded_total,
    refunded_tax: shape.refunded_tax,
    tax_lines: shape.tax_lines,
    discounts: shape.discounts,
    shipping_method: shape.shipping_method,
    payment_method: shape.payment_method,
    payment: z.object({
      next_action: shape.payment.shape.next_action,
      paid_at: shape.payment.shape.paid_at,
      instructions: shape.payment.shape.instructions,
    }),
    items: z.array(
      OrderItem.pick({
        name: true,
        option_values: true,
        quantity: true,
        unit_price: true,
        total: true,
        refunded_quantity: true,
      }),
    ),
    shipments: z.array(
      shape.shipments.element.pick({ carrier: true, tracking_number: true, tracking_url: true, shipped_at: true }),
    ),
    shop: z.object({
      name: z.string(),
      contact: z.string().describe("Contact details of the shop. Empty if none are set"),
    }),
    accepted_terms: shape.accepted_terms,
    expires_at: shape.expires_at,
    created_at: shape.created_at,
  })
  .meta({ id: "GuestOrder", description: "A guest's order, as the link in its e-mails shows it" });

/** Keeps only the fields of `GuestOrder`. */
export const toGuestOrder = (row: OrderRow, { shopName, contact }: ShopTexts) =>
  GuestOrder.parse({ ...toOrder(row), shop: { name: shopName, contact } });
