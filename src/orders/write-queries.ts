import { eq, type SQL } from "drizzle-orm";
import { type Database, writeThenRead } from "../db/client.ts";
import { orders } from "../db/schema.ts";
import { isViolation } from "../db/violation.ts";
import { selectOrders } from "./queries.ts";
import type { OrderRow } from "./schemas.ts";

/**
 * Writes to one order and reads it, as one batch: all of it happens, or nothing does. The guards stand in the database
 * (migrations/0001_guards.sql); null says that one of them refused.
 */
export async function writeOrder(db: Database, number: string, writes: readonly SQL[]): Promise<OrderRow | null> {
  try {
    const [order] = await writeThenRead(db, writes, selectOrders(db).where(eq(orders.number, number)));
    return order ?? null;
  } catch (error) {
    if (isViolation(error)) return null;
    throw error;
  }
}
