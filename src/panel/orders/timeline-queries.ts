import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { emails, orderNotes, products } from "../../platform/db/schema.ts";
import { toNames } from "../references/names.ts";

/** How many e-mails and notes of an order its page shows: the newest. */
const MOST = 100;

/** What happened around an order beside what its own record says, who did any of it, and what was sold, in one round trip. */
export async function readOrderEvents(db: Database, orderId: number) {
  const [sentEmails, notes, names, sold] = await db.batch([
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
  ]);
  const images = new Map(sold.map((product) => [product.id, product.images]));
  return { emails: sentEmails, notes, names: toNames(names), images };
}
export type OrderEvents = Omit<Awaited<ReturnType<typeof readOrderEvents>>, "names" | "images">;

/** The images of an order's products, by their ids. */
export type OrderImages = Awaited<ReturnType<typeof readOrderEvents>>["images"];

/** People and keys by their names, whoever moved, sent or noted something. */
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
