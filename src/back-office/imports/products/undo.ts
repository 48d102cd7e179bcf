import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Author } from "../../../platform/auth/author.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, products } from "../../../platform/db/schema.ts";
import type { JobFailure, Slice, Work } from "../../../platform/jobs/kind.ts";
import { cursorOf, dropChanges } from "../../../platform/jobs/run-slice.ts";
import { adjustStock, replaceFiles, setProducts, unchangedSince } from "./write.ts";

const After = z.object({ id: z.int() });

const Before = z.looseObject({ stockDelta: z.int().nullable(), fileIds: z.array(z.int()) });

const EDITED_SINCE = { code: "changed_meanwhile", message: "was edited after the import and is left unchanged" };
const SOLD = { code: "in_use", message: "was sold, so it became a draft", isWarning: true } as const;

/**
 * Undoes part of an import: deletes the products it created, or makes them drafts if they were sold, and restores those it
 * changed. Later edits are kept.
 */
export async function undoProducts({ db, job, author, limit }: Work): Promise<Slice> {
  const jobId = job.undoOf ?? 0;
  const from = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const rows = await findChanged(db, jobId, from.id, limit);
  const there = rows.filter(({ now, version }) => now === version);
  const edited = rows.filter(({ now, version }) => now !== null && now !== version);
  const made = there.filter(({ before }) => before === null);
  const sold = made.filter(({ isSold }) => isSold);
  const idsOf = (some: typeof rows) => some.map(({ id }) => id);
  const reverted = there.flatMap(({ id, before, version }) =>
    before === null ? [] : [{ ...Before.parse(before), id, version: Math.max(author.now, version + 1) }],
  );
  const adjusted = reverted.flatMap(({ id, stockDelta }) => (stockDelta ? [{ id, stockDelta: -stockDelta }] : []));
  const failures: JobFailure[] = [
    ...edited.map(({ id }) => ({ subjectId: id, ...EDITED_SINCE })),
    ...sold.map(({ id }) => ({ subjectId: id, ...SOLD })),
  ];
  const writes = [
    unchangedSince(there.map(({ id, version }) => ({ id, version }))),
    dropChanges(jobId, idsOf(there)),
    ...deleteProducts(idsOf(made.filter(({ isSold }) => !isSold)), author),
    ...withdrawProducts(idsOf(sold), author),
    ...(reverted.length === 0
      ? []
      : [
          setProducts(reverted),
          ...adjustStock(adjusted, `Import undone, job ${job.id}`, author),
          ...replaceFiles(reverted),
          logReverted(
            reverted.map(({ id }) => id),
            jobId,
            author,
          ),
        ]),
  ];
  const last = rows.at(-1);
  return {
    writes,
    cursor: rows.length < limit || !last ? null : { id: last.id },
    done: rows.length - edited.length,
    failed: edited.length,
    failures,
    ...(last && { row: { subjectId: last.id } }),
  };
}

/** Finds what a job changed in rows with ids after `after`, with their current values. */
const findChanged = (db: Database, jobId: number, after: number, limit: number) =>
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
const deleteProducts = (ids: number[], author: Author): SQL[] =>
  ids.length === 0
    ? []
    : [
        logged(author, "delete", sql`json_object('sku', sku, 'name', name)`, sql`NULL`, ids),
        sql`DELETE FROM products WHERE ${among(ids)}`,
      ];

/** Withdraws products that were sold. */
const withdrawProducts = (ids: number[], author: Author): SQL[] =>
  ids.length === 0
    ? []
    : [
        logged(author, "update", sql`json_object('status', status)`, sql`json_object('status', 'draft')`, ids),
        sql`UPDATE products SET status = 'draft', updated_at = max(${author.now}, updated_at + 1) WHERE ${among(ids)}`,
      ];

/** Returns the audit log entries of products whose values are restored. */
const logReverted = (ids: number[], jobId: number, author: Author): SQL =>
  logged(author, "update", sql`NULL`, sql`json_object('undone_job', ${jobId})`, ids);

const logged = (author: Author, action: string, before: SQL, after: SQL, ids: number[]): SQL => sql`
  INSERT INTO audit_log (at, actor, address, action, subject, subject_id, before, after, request_id)
  SELECT ${author.now}, ${author.actor}, NULL, ${`product.${action}`}, 'product', id, ${before}, ${after}, ${author.requestId}
  FROM products WHERE ${among(ids)}`;
