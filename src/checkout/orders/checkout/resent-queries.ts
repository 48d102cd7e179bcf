import { and, desc, gt, ne, notInArray, type SQL, sql } from "drizzle-orm";
import { limits } from "../../../domain/limits.ts";
import type { Database } from "../../../platform/db/client.ts";
import { orders, users } from "../../../platform/db/schema.ts";
import type { CheckoutDraft } from "./draft.ts";

/** The name and e-mail address of the buyer in an order; a user's own, if a user orders. */
const customerOf = ({ userId, customer }: CheckoutDraft): { name: SQL; email: SQL } =>
  userId === null
    ? { name: sql`${customer?.name ?? null}`, email: sql`${customer?.email ?? null}` }
    : {
        name: sql`(SELECT ${users.name} FROM ${users} WHERE ${users.id} = ${userId})`,
        email: sql`(SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${userId})`,
      };

/** The order that a draft repeats, as the trigger order_no_resend finds it: a query, for a batch. */
export function selectResent(db: Database, draft: CheckoutDraft) {
  const { name, email } = customerOf(draft);
  return db
    .select({ number: orders.number })
    .from(orders)
    .where(
      and(
        sql`${orders.customerEmail} IS ${email} AND ${orders.customerName} IS ${name}`,
        sql`${orders.fingerprint} = ${draft.claim ? null : draft.fingerprint}`,
        gt(orders.createdAt, draft.now - limits.RESEND_WINDOW_MS),
        notInArray(orders.status, ["cancelled", "expired", "refunded"]),
        ne(orders.paymentStatus, "failed"),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(1);
}
