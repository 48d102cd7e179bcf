import { sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import { json } from "../../../platform/db/json.ts";
import { hasNumber } from "../orders.ts";
import { orderContent } from "./order-facts.ts";

/** The parameters of an e-mail about an order as if it were sent now: with its last parcel, and all refunds as one. */
export async function readEmailParams(db: Database, number: string): Promise<Record<string, unknown> | undefined> {
  const params = sql`json_set(params, '$.order', json(${orderContent}))`;
  const found = await db
    .select({ params: json<Record<string, unknown>>(params).as("params") })
    .from(sql`(
      SELECT 'order_confirmation' AS template, orders.id AS order_id, user_id, coalesce(users.email, customer_email) AS recipient,
        json_object('amount', refunded_total, 'currency', currency, 'shipmentId', (
          SELECT max(id) FROM shipments WHERE order_id = orders.id)) AS params
      FROM orders LEFT JOIN users ON users.id = user_id WHERE ${hasNumber(number)} LIMIT 1
    ) AS emails`)
    .get();
  return found?.params;
}
