import { desc, eq, type SQL, sql } from "drizzle-orm";
import { type Database, requireRow } from "../../platform/db/client.ts";
import {
  emails,
  giftCards,
  licenseKeys,
  orderNotes,
  orders,
  products,
  subscriptionPeriods,
} from "../../platform/db/schema.ts";
import { toNames } from "../references.ts";

/** Newest e-mails and notes shown on an order's page. */
const MOST = 100;

/** Reads the events around an order, their authors, the sold products, and how much was issued, in one round trip. */
export async function readOrderEvents(db: Database, orderId: number) {
  const [sentEmails, notes, names, sold, [issued]] = await db.batch([
    db
      .select({
        template: emails.template,
        state: emails.state,
        recipient: emails.recipient,
        reason: emails.reason,
        createdAt: emails.createdAt,
        sentAt: emails.sentAt,
      })
      .from(emails)
      .where(eq(emails.orderId, orderId))
      .orderBy(desc(emails.id))
      .limit(MOST),
    db.select().from(orderNotes).where(eq(orderNotes.orderId, orderId)).orderBy(desc(orderNotes.id)).limit(MOST),
    db
      .select({ reference: sql<string>`reference`, name: sql<string | null>`name`.as("name") })
      .from(sql`(${namesOfActors(orderId)})`),
    db
      .select({ id: products.id, images: products.images })
      .from(products)
      .where(sql`id IN (SELECT product_id FROM order_items WHERE order_id = ${orderId})`),
    db
      .select({
        licenseKeys: db.$count(licenseKeys, eq(licenseKeys.orderId, orderId)),
        giftCards: db.$count(giftCards, eq(giftCards.orderId, orderId)),
        subscriptions: db.$count(subscriptionPeriods, eq(subscriptionPeriods.orderId, orderId)),
      })
      .from(orders)
      .where(eq(orders.id, orderId)),
  ]);
  const images = new Map(sold.map((product) => [product.id, product.images]));
  return { emails: sentEmails, notes, names: toNames(names), images, issued: requireRow(issued) };
}
export type OrderEvents = Omit<Awaited<ReturnType<typeof readOrderEvents>>, "names" | "images" | "issued">;

/** Numbers of license keys and gift cards that an order has issued, and of subscriptions that it pays. */
export type IssuedCounts = Awaited<ReturnType<typeof readOrderEvents>>["issued"];

/** Images of an order's products by id. */
export type OrderImages = Awaited<ReturnType<typeof readOrderEvents>>["images"];

/** Names of the people and keys that changed, sent or noted something. */
const namesOfActors = (orderId: number): SQL => sql`
  SELECT reference, CASE
    WHEN reference LIKE 'user:%' THEN (SELECT name FROM users WHERE id = CAST(substr(reference, 6) AS INTEGER))
    WHEN reference LIKE 'api_key:%' THEN (SELECT name FROM api_keys WHERE id = CAST(substr(reference, 9) AS INTEGER))
  END AS name
  FROM (
    SELECT actor AS reference FROM order_history WHERE order_id = ${orderId}
    UNION SELECT shipped_by FROM shipments WHERE order_id = ${orderId}
    UNION SELECT author FROM order_notes WHERE order_id = ${orderId}
  )`;
