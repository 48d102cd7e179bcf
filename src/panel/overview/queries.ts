import { and, count, desc, eq, lte } from "drizzle-orm";
import { type Database, one } from "../../db/client.ts";
import { orders, products } from "../../db/schema.ts";

const NEWEST = 8;

/** Stock of which so few are left wants to be ordered. */
const FEW = 3;

const summary = {
  id: orders.id,
  number: orders.number,
  status: orders.status,
  total: orders.total,
  currency: orders.currency,
  customerName: orders.customerName,
  customerEmail: orders.customerEmail,
  createdAt: orders.createdAt,
};

/** What an administrator looks at first, in one round trip. */
export async function readOverview(db: Database) {
  const [newest, toShip, unpaid, fewLeft] = await db.batch([
    db.select(summary).from(orders).orderBy(desc(orders.id)).limit(NEWEST),
    db
      .select({ orders: count() })
      .from(orders)
      .where(and(eq(orders.status, "processing"), eq(orders.fulfillmentStatus, "unfulfilled"))),
    db.select({ orders: count() }).from(orders).where(eq(orders.status, "pending")),
    db
      .select({ products: count() })
      .from(products)
      .where(and(eq(products.status, "active"), eq(products.manageStock, true), lte(products.stockQuantity, FEW))),
  ]);
  return { newest, toShip: one(toShip).orders, unpaid: one(unpaid).orders, fewLeft: one(fewLeft).products };
}

export type Overview = Awaited<ReturnType<typeof readOverview>>;
