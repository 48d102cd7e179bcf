import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { notFound, requireFound, tooManyRequests } from "../../domain/errors.ts";
import { Id, Text } from "../../domain/fields.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time.ts";
import { createDownload, type DownloadDependencies } from "../../downloads/files/public.ts";
import { LicenseKey, selectLicenseKeys, toLicenseKey } from "../../downloads/license-keys/public.ts";
import { Package, type PackageRow, selectPackages, toPackage } from "../../downloads/packages/public.ts";
import type { SettingsContext } from "../../platform/auth/caller.ts";
import { limitAccount } from "../../platform/auth/gates.ts";
import { readLicenseSecret } from "../../platform/auth/license-keys.ts";
import { orderOfLink } from "../../platform/auth/order-link.ts";
import { type Database, statement } from "../../platform/db/client.ts";
import { emails, giftCards, licenseKeys, orders, packages } from "../../platform/db/schema.ts";
import { insertSelected, updateRows } from "../../platform/db/statements.ts";
import { MOST_UNVERIFIED, readShopTexts, recentOrderEmails, type ShopTexts } from "../../platform/email/emails.ts";
import { newKey } from "../../platform/email/switches.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { GiftCard, toGiftCard } from "../gift-cards/public.ts";
import { Invoice, type InvoiceRow, invoicesOfOrder } from "../invoices/public.ts";
import {
  findSubscriptionOfOrder,
  Subscription,
  type SubscriptionRow,
  toSubscription,
} from "../subscriptions/public.ts";
import { selectOrders } from "./orders.ts";
import { Order, OrderItem, type OrderRow, toOrder } from "./schemas.ts";

/** Lifetime of a link to an order: one year. */
const SHOWN_DAYS = 365;

type LinkContext = { db: Database; settings: Pick<Settings, "linkSecrets" | "email"> };

/** A link's order, its packages and license keys that no account has, what else belongs to it, and the shop's texts. */
export type LinkedGuestOrder = {
  row: OrderRow;
  packages: PackageRow[];
  licenseKeys: z.output<typeof LicenseKey>[];
  giftCards: z.output<typeof GiftCard>[];
  invoices: InvoiceRow[];
  subscription: SubscriptionRow | undefined;
  texts: ShopTexts;
};

/** The order of a link. Null if the link shows none. */
export async function findGuestOrder(
  { db, settings }: LinkContext,
  token: string,
  now: number,
): Promise<LinkedGuestOrder | null> {
  const linked = orderOfLink(settings.linkSecrets, token);
  if (linked === null) return null;
  const isShown = and(
    eq(orders.reference, linked.reference),
    eq(orders.linkVersion, linked.linkVersion),
    isNull(orders.userId),
    gt(orders.createdAt, now - SHOWN_DAYS * DAY_MS),
  );
  const id = sql<number>`(SELECT id FROM orders WHERE reference = ${linked.reference})`;
  const isGuests = ({ orderId, userId }: typeof packages | typeof licenseKeys) => and(eq(orderId, id), isNull(userId));
  const [row, held, keys, cards, invoices, subscription, texts] = await Promise.all([
    selectOrders(db).where(isShown).get(),
    selectPackages(db).where(isGuests(packages)).orderBy(asc(packages.id)),
    selectLicenseKeys(db).where(isGuests(licenseKeys)).orderBy(asc(licenseKeys.id)),
    db.select().from(giftCards).where(eq(giftCards.orderId, id)).orderBy(asc(giftCards.id)),
    invoicesOfOrder(db, id),
    findSubscriptionOfOrder(db, id),
    readShopTexts(db, settings.email),
  ]);
  if (!row) return null;
  const secret = keys.length + cards.length > 0 ? await readLicenseSecret({ db, settings }) : "";
  return {
    row,
    packages: held,
    licenseKeys: keys.map((key) => toLicenseKey(secret, key, now)),
    giftCards: cards.map((card) => toGiftCard(secret, card)),
    invoices,
    subscription,
    texts,
  };
}

/** Throws unless the link shows an order. */
export const requireGuestOrder = (ctx: LinkContext, token: string, now: number): Promise<LinkedGuestOrder> =>
  requireFound(findGuestOrder(ctx, token, now), "The order of this link");

/** Returns a file of the link's order as data or as a download link. It counts against the packages of the order. */
export async function createGuestDownload(shop: DownloadDependencies, { token, file_id }: OrderLinkDownload) {
  const { row } = await requireGuestOrder(shop, token, Date.now());
  return createDownload(shop, { kind: "guest_order", id: row.id, reference: row.reference }, file_id);
}

/**
 * Replaces the link to an order, which a forwarded e-mail may have given away: a new one goes to the order's address, and
 * earlier ones open nothing. An address that got its hourly e-mails about orders keeps its link, and the caller is told.
 */
export async function rotateOrderLink({ env, db, settings, author }: SettingsContext, token: string): Promise<void> {
  const {
    row,
    packages: held,
    licenseKeys: keys,
    giftCards: cards,
    subscription,
  } = await requireGuestOrder({ db, settings }, token, author.now);
  const { id, customerEmail: recipient, linkVersion } = row;
  const delivers = held.length + keys.length + cards.length > 0;
  if (!(delivers || subscription) || recipient === null) throw notFound("A download of this order");
  await limitAccount({ env }, "recovery", `order:${row.reference}`);
  const hasVersion = (version: number) => sql`${orders.id} = ${id} AND ${orders.linkVersion} = ${version}`;
  const mayGet = sql`${recentOrderEmails(sql`${recipient}`, author.now)} < ${MOST_UNVERIFIED}`;
  const template = delivers ? "downloads_ready" : "order_confirmation";
  const email = { key: newKey, template, orderId: id, recipient, params: {} } as const;
  const [replacing] = await db.batch([
    statement(db, updateRows(orders, { linkVersion: linkVersion + 1 }, sql`${hasVersion(linkVersion)} AND ${mayGet}`)),
    statement(
      db,
      insertSelected(
        emails,
        { ...email, dueAt: author.now, createdAt: author.now },
        sql`FROM ${orders} WHERE ${hasVersion(linkVersion + 1)} AND changes() = 1`,
      ),
    ),
  ]);
  if (replacing.meta.changes === 0) throw tooManyRequests(HOUR_MS / 1000);
}

export const OrderLinkBody = z.strictObject({ token: Text.max(200).describe("Token in the link of the e-mail") });

export const OrderLinkDownload = OrderLinkBody.extend({ file_id: Id.describe("Id of a file of the order's packages") });
type OrderLinkDownload = z.output<typeof OrderLinkDownload>;

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
    downloads: z
      .array(Package.omit({ order_id: true }))
      .describe("Packages of the order, unless an account with the verified address of the order has them"),
    invoices: z
      .array(Invoice.pick({ id: true, number: true, type: true }))
      .describe(
        "Invoices, newest last. `/account/order?token=` on this host gives their PDFs to buyers who enter the postal code",
      ),
    license_keys: z
      .array(LicenseKey.omit({ order_id: true, instances: true }))
      .describe(
        "License keys of the order, without the names of devices, unless an account with the verified address of the order has them",
      ),
    gift_cards: z.array(GiftCard.omit({ order_id: true })).describe("Gift cards of the order"),
    subscription: Subscription.pick({ status: true, product: true, current_period_end: true, cancels_at: true })
      .nullable()
      .describe("`/account/order?token=` on this host cancels it and changes its card. Null if the order has none"),
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
export const toGuestOrder = (
  {
    row,
    packages: held,
    licenseKeys: keys,
    giftCards: cards,
    invoices,
    subscription,
    texts: { shopName, contact },
  }: LinkedGuestOrder,
  now: number,
) =>
  GuestOrder.parse({
    ...toOrder(row),
    downloads: held.map((each) => toPackage(each, now)),
    invoices,
    license_keys: keys,
    gift_cards: cards,
    subscription: subscription ? toSubscription(subscription) : null,
    shop: { name: shopName, contact },
  });
