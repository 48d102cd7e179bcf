import { discounts } from "../../src/db/schema.ts";
import { db } from "./shop.ts";

let made = 0;

/** A code for 10 % off everything, unless said otherwise. */
export async function aDiscount(columns: Partial<typeof discounts.$inferInsert> = {}) {
  const n = ++made;
  const dates = { createdAt: Date.now(), updatedAt: Date.now() };
  const [row] = await db
    .insert(discounts)
    .values({ name: `Discount ${n}`, code: `CODE-${n}`, kind: "percentage", percent: 100_000, ...dates, ...columns })
    .returning();
  if (!row) throw new Error("nothing was inserted");
  return row;
}
