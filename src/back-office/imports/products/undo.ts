import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { replaceFiles } from "../../../catalogue/products/public.ts";
import { auditStates } from "../../../platform/audit/audit.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import type { Database } from "../../../platform/db/client.ts";
import { jobChanges, orderItems, products } from "../../../platform/db/schema.ts";
import { versionAfter } from "../../../platform/db/statements.ts";
import { cursorOf, dropChanges, type RowFailure, type Slice, type Work } from "../../../platform/jobs/run-slice.ts";
import { isRowAmong } from "../row-writes.ts";
import { followRelated, markRelated } from "./variants.ts";
import { adjustImportedStock, productsUnchangedSince, setProducts, variantIds } from "./write.ts";

const After = z.object({ id: z.int() });

const Before = z.looseObject({ stockDelta: z.int().nullable(), fileIds: z.array(z.int()).nullable() });

const EDITED_SINCE = { code: "changed_meanwhile", message: "was edited after the import and is left unchanged" };
const SOLD = { code: "in_use", message: "was sold, so it became a draft", isWarning: true } as const;

/**
 * Undoes part of an import: deletes the products it created, or makes them drafts if they were sold, and restores those it
 * changed. Later edits are kept.
 */
export async function undoProducts(work: Work): Promise<Slice> {
  const { db, job, author, limit } = work;
  const jobId = job.undoOf ?? 0;
  const from = cursorOf(job, (value) => After.parse(value), { id: Number.MAX_SAFE_INTEGER });
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
  const failures: RowFailure[] = [
    ...edited.map(({ id }) => ({ subjectId: id, ...EDITED_SINCE })),
    ...sold.map(({ id }) => ({ subjectId: id, ...SOLD })),
  ];
  const parents = sql`SELECT parent_id FROM products WHERE ${isRowAmong(products.id, idsOf(there))}`;
  const related = sql`${parents} UNION ALL ${variantIds(idsOf(there))}`;
  const writes = [
    markRelated(jobId, related),
    productsUnchangedSince(there.map(({ id, version }) => ({ id, version }))),
    dropChanges(jobId, idsOf(there)),
    ...deleteProducts(work, idsOf(made.filter(({ isSold }) => !isSold))),
    ...withdrawProducts(work, idsOf(sold)),
    ...(reverted.length === 0
      ? []
      : [
          ...setProducts(reverted),
          ...adjustImportedStock(work, { rows: adjusted, reason: `Import undone, job ${job.id}` }),
          ...replaceFiles(reverted.flatMap(({ id, fileIds }) => (fileIds === null ? [] : [{ id, fileIds }]))),
          logAll(work, {
            action: "update",
            ids: reverted.map(({ id }) => id),
            after: sql`json_object('undone_job', ${jobId})`,
          }),
        ]),
    followRelated(jobId, sql`NULL`),
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

/** Finds what a job changed in rows with ids below `below`, with their current values. Variants come before their products. */
const findChanged = (db: Database, jobId: number, below: number, limit: number) =>
  db
    .select({
      id: jobChanges.subjectId,
      before: jobChanges.before,
      version: jobChanges.version,
      now: sql<number | null>`${products.updatedAt}`,
      isSold: sql`EXISTS (
        SELECT 1 FROM ${orderItems} WHERE ${orderItems.productId} = ${jobChanges.subjectId} OR ${orderItems.productId} IN (
          SELECT variant.id FROM products AS variant WHERE variant.parent_id = ${jobChanges.subjectId}))`.mapWith(
        Boolean,
      ),
    })
    .from(jobChanges)
    .leftJoin(products, eq(products.id, jobChanges.subjectId))
    .where(and(eq(jobChanges.jobId, jobId), lt(jobChanges.subjectId, below)))
    .orderBy(desc(jobChanges.subjectId))
    .limit(limit)
    .all();

/** Deletes products that a job created, with an audit log entry each. */
const deleteProducts = (ctx: AuthorContext, ids: number[]): SQL[] =>
  ids.length === 0
    ? []
    : [
        logAll(ctx, {
          action: "delete",
          ids,
          before: sql`json_object('sku', ${products.sku}, 'name', ${products.name})`,
        }),
        ctx.db.delete(products).where(isRowAmong(products.id, ids)).getSQL(),
      ];

/** Withdraws products that were sold. */
const withdrawProducts = (ctx: AuthorContext, ids: number[]): SQL[] =>
  ids.length === 0
    ? []
    : [
        logAll(ctx, {
          action: "update",
          ids,
          before: sql`json_object('status', ${products.status})`,
          after: sql`json_object('status', 'draft')`,
        }),
        ctx.db
          .update(products)
          .set({
            status: "draft",
            ownStatus: sql`iif(parent_id IS NULL, NULL, 'draft')`,
            updatedAt: versionAfter(ctx.author.now),
          })
          .where(isRowAmong(products.id, ids))
          .getSQL(),
      ];

const logAll = (
  ctx: Pick<WriteContext, "author">,
  { ids, ...logged }: { action: "delete" | "update"; ids: number[]; before?: SQL; after?: SQL },
): SQL =>
  auditStates(ctx, {
    ...logged,
    subject: "product",
    id: sql`${products.id}`,
    from: sql`FROM ${products} WHERE ${isRowAmong(products.id, ids)}`,
  });
