import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { jobChanges, orders } from "../../platform/db/schema.ts";

/** Finds what a job changed in rows after an id. */
export const findChanges = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({ id: jobChanges.subjectId, before: jobChanges.before })
    .from(jobChanges)
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(asc(jobChanges.subjectId))
    .limit(limit);

/** Sums the amount that marking these orders as paid would move: orders not yet paid. */
export async function sumUnpaid(db: Database, ids: number[]): Promise<number> {
  const { sum } = requireRow(
    await db
      .select({ sum: sql<number>`coalesce(sum(${orders.total}), 0)` })
      .from(orders)
      .where(sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${orders.paidAt} IS NULL`)
      .get(),
  );
  return sum;
}

export const categoryExists = async (db: Database, id: number): Promise<boolean> =>
  (await db.all(sql`SELECT 1 FROM categories WHERE id = ${id}`)).length > 0;
