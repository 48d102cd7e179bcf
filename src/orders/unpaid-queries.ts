import { and, count, eq, isNotNull, isNull, type SQL, sql, sum } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { orders, stockAllocations } from "../db/schema.ts";
import type { UnpaidLimits } from "../settings/settings.ts";
import type { OrderDraft } from "./draft.ts";
import { holderOf } from "./unpaid.ts";

/** The statement that hands the settings to the triggers, which enforce them: it writes when they have changed. */
export const setUnpaidLimits = ({ orders: waiting, units, percent }: UnpaidLimits): SQL => sql`
  INSERT INTO unpaid_limits (id, orders_waiting, units_held, percent_held) VALUES (1, ${waiting}, ${units}, ${percent})
  ON CONFLICT (id) DO UPDATE SET orders_waiting = excluded.orders_waiting, units_held = excluded.units_held,
    percent_held = excluded.percent_held
  WHERE (orders_waiting, units_held, percent_held)
    IS NOT (excluded.orders_waiting, excluded.units_held, excluded.percent_held)`;

/** How many orders of the buyer wait to be paid: a query, for a batch. */
export const selectWaitingOrders = (db: Database, draft: OrderDraft) =>
  db
    .select({ orders: count() })
    .from(orders)
    .where(and(ofBuyer(draft), eq(orders.status, "pending"), isNotNull(orders.expiresAt)));

const ofBuyer = ({ userId, apiKeyId, customer }: OrderDraft) => {
  if (userId !== null) return eq(orders.userId, userId);
  if (customer) return and(isNull(orders.userId), eq(orders.customerEmail, customer.email));
  return and(isNull(orders.userId), isNull(orders.customerEmail), eq(orders.apiKeyId, apiKeyId ?? 0));
};

/** What the buyer's unpaid orders hold of each product of the draft: a query, for a batch. */
export const selectUnpaidUnits = (db: Database, draft: OrderDraft) =>
  db
    .select({ productId: stockAllocations.productId, quantity: sum(stockAllocations.quantity) })
    .from(stockAllocations)
    .where(
      and(
        sql`${stockAllocations.productId} IN (SELECT value FROM json_each(${JSON.stringify(draft.lines.map(({ productId }) => productId))}))`,
        eq(stockAllocations.unpaidBy, holderOf(draft)),
      ),
    )
    .groupBy(stockAllocations.productId);
