import { and, asc, eq, gt } from "drizzle-orm";
import * as z from "zod";
import {
  distinctTags,
  type EditedColumns,
  findAnyProducts,
  MAX_TAGS,
  type ProductRow,
  productWrites,
} from "../../catalogue/products/public.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { fold } from "../../domain/fold.ts";
import type { Database } from "../../platform/db/client.ts";
import { isSame, nextVersion } from "../../platform/db/precondition.ts";
import { jobChanges, productStatuses } from "../../platform/db/schema.ts";
import type { RowFailure, Runner, Slice, Work } from "../../platform/jobs/kind.ts";
import { cursorOf, dropChanges, keepChanges } from "../../platform/jobs/run-slice.ts";
import { sliceByRow } from "./by-row.ts";
import { changedPrices } from "./price.ts";

export const ChangeProducts = z.object({
  ids: z.array(z.int()),
  /** Variants of selected products, which only their price change applies to. */
  onlyPriced: z.array(z.int()).default([]),
  status: z.enum(productStatuses).optional(),
  categoryId: z.int().nullable().optional(),
  addTags: z.array(z.string()).optional(),
  removeTags: z.array(z.string()).optional(),
  price: z.object({ millionths: z.int(), compareAt: z.enum(["keep", "previous", "none"]) }).optional(),
});
export type ChangeProducts = z.output<typeof ChangeProducts>;

/** The price of a product with options is that of its variants, which are changed instead. */
function pricesOf(before: ProductRow, price: ChangeProducts["price"]): EditedColumns {
  if (!price || before.options.length > 0) return {};
  const prices = changedPrices(before, price);
  if (prices) return prices;
  throw badRequest(fieldError("price", "invalid", "would exceed the maximum price"));
}

/** The tags after some are added and removed. */
function tagsAfter({ tags }: ProductRow, { addTags = [], removeTags = [] }: ChangeProducts): string[] {
  const removed = new Set(removeTags.map(fold));
  const after = distinctTags([...tags, ...addTags]).filter((tag) => !removed.has(fold(tag)));
  if (after.length <= MAX_TAGS) return after;
  throw badRequest(fieldError("add_tags", "too_big", `would be more than ${MAX_TAGS}`, { limit: MAX_TAGS }));
}

/** Returns the columns that the change affects, with their values before and after. */
function differencesOf(row: ProductRow, change: ChangeProducts) {
  const { status, categoryId, price, onlyPriced } = change;
  const before = withShownStatus(row);
  const isVariant = row.parentId !== null;
  const isOnlyPriced = isVariant && onlyPriced.includes(row.id);
  if (isVariant && !isOnlyPriced && categoryId !== undefined && categoryId !== row.categoryId)
    throw badRequest(fieldError("category_id", "not_applicable", "is always the category of the variant's product"));
  const tags = tagsAfter(before, change);
  if (isVariant && !isOnlyPriced && !isSame(tags, row.tags))
    throw badRequest(fieldError("tags", "not_applicable", "are always the tags of the variant's product"));
  const wanted = { ...(!isOnlyPriced && { status, categoryId, tags }), ...pricesOf(before, price) };
  const columns: EditedColumns = {};
  const kept: Record<string, { from: unknown; to: unknown }> = {};
  for (const [name, to] of Object.entries(wanted)) {
    const from = Reflect.get(before, name);
    if (to === undefined || isSame([to], [from])) continue;
    Object.assign(columns, { [name]: to });
    kept[name] = { from, to };
  }
  return { columns, kept };
}

/** A variant's status is the one that people set. */
const withShownStatus = (row: ProductRow): ProductRow => ({ ...row, status: row.ownStatus ?? row.status });

async function slice(work: Work): Promise<Slice> {
  const { db, job, author } = work;
  const parameters = ChangeProducts.parse(job.parameters);
  return sliceByRow(
    work,
    parameters.ids,
    (ids) => findAnyProducts(db, ids),
    (before) => {
      const { columns, kept } = differencesOf(before, parameters);
      if (Object.keys(kept).length === 0) return [];
      const change = { subjectId: before.id, before: kept, version: nextVersion(before, author.now) };
      return [...productWrites(work, { before, columns }), keepChanges(job.id, JSON.stringify([change]))];
    },
  );
}

const After = z.object({ id: z.int() });
const Changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));

const EDITED_SINCE = { code: "changed_meanwhile", message: "was edited since and stays as it is" };

/** Finds what a job changed in rows after an id. */
const findChanges = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({ id: jobChanges.subjectId, before: jobChanges.before })
    .from(jobChanges)
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(asc(jobChanges.subjectId))
    .limit(limit);

/** Restores products' earlier values if they still have those that the job set. */
async function undoProducts({ db, job, author, limit }: Work): Promise<Slice> {
  const jobId = job.undoOf ?? 0;
  const { id: after } = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const changes = await findChanges(db, jobId, after, limit);
  const found = await findAnyProducts(
    db,
    changes.map(({ id }) => id),
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  const failures: RowFailure[] = [];
  const reverted: number[] = [];
  const writes = changes.flatMap(({ id, before }) => {
    const changed = Changes.parse(before);
    const row = rows.get(id);
    if (row && stillHas(row, changed)) {
      const columns = Object.fromEntries(Object.entries(changed).map(([name, { from }]) => [name, from]));
      reverted.push(id);
      return productWrites({ db, author }, { before: row, columns });
    }
    failures.push({ subjectId: id, ...EDITED_SINCE });
    return [];
  });
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    writes: [...writes, dropChanges(jobId, reverted)],
    cursor: changes.length < limit || !last ? null : { id: last.id },
    done: reverted.length,
    failed: failures.length,
    failures,
    ...(first && { row: { subjectId: first.id } }),
  };
}

const stillHas = (row: ProductRow, changed: z.output<typeof Changes>): boolean =>
  Object.entries(changed).every(([name, { to }]) => isSame([Reflect.get(withShownStatus(row), name)], [to]));

/** Changes the status, the category, the tags and the price of products. */
export const changeProducts: Runner = {
  limit: 50,
  slice,
  undo: undoProducts,
  refusals: {
    "FOREIGN KEY": { field: "category_id", code: "unknown_reference", message: "no longer exists" },
  },
};
