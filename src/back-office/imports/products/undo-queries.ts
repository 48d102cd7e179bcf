import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, products } from "../../../platform/db/schema.ts";

/** Finds what a job changed in rows with ids after `after`, with their current values. */
export const findChanged = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({
      id: jobChanges.subjectId,
      before: jobChanges.before,
      version: jobChanges.version,
      now: sql<number | null>`products.updated_at`,
      isSold: sql`EXISTS (SELECT 1 FROM order_items WHERE product_id = subject_id)`.mapWith(Boolean),
    })
    .from(jobChanges)
    .leftJoin(products, eq(products.id, jobChanges.subjectId))
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(jobChanges.subjectId)
    .limit(limit)
    .all();

const among = (ids: number[]): SQL => inArray(products.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);

/** Deletes products that a job created, with an audit log entry each. */
export const deleteProducts = (ids: number[], author: Author): SQL[] =>
  ids.length === 0
    ? []
    : [
        logged(author, "delete", sql`json_object('sku', sku, 'name', name)`, sql`NULL`, ids),
        sql`DELETE FROM products WHERE ${among(ids)}`,
      ];

/** Withdraws products that were sold. */
export const withdrawProducts = (ids: number[], author: Author): SQL[] =>
  ids.length === 0
    ? []
    : [
        logged(author, "update", sql`json_object('status', status)`, sql`json_object('status', 'draft')`, ids),
        sql`UPDATE products SET status = 'draft', updated_at = max(${author.now}, updated_at + 1) WHERE ${among(ids)}`,
      ];

/** Returns the audit log entries of products whose values are restored. */
export const logReverted = (ids: number[], jobId: number, author: Author): SQL =>
  logged(author, "update", sql`NULL`, sql`json_object('undone_job', ${jobId})`, ids);

const logged = (author: Author, action: string, before: SQL, after: SQL, ids: number[]): SQL => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  SELECT ${author.now}, ${author.actor}, NULL, ${`product.${action}`}, 'product', id, ${before}, ${after}, ${author.requestId}
  FROM products WHERE ${among(ids)}`;
