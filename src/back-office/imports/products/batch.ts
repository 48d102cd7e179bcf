import { sql } from "drizzle-orm";
import * as z from "zod";
import {
  ChosenValues,
  Inherits,
  productFields,
  UnitsAdjustment,
  withPaths,
} from "../../../catalogue/products/public.ts";
import { coded, Id, line } from "../../../domain/fields.ts";
import { changeShape } from "../../../platform/administration/fields.ts";
import { requireFreshForChange } from "../../../platform/administration/sensitive-changes.ts";
import type { AuthorContext } from "../../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { dropNulls } from "../../../platform/http/sent-back.ts";
import { createJob, findJob } from "../../../platform/jobs/jobs.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { isOpen, type JobWithUndo } from "../../../platform/jobs/schemas.ts";
import type { ImportRecord } from "../reading/record.ts";
import { failuresOf } from "../record-fields.ts";
import { SentRecords } from "../slices.ts";

// Programs write products, variants, prices and stock by one operation, since all of them are fields of a product with
// a SKU. Its items are the rows of an import: planned together, written by a few statements, and written or refused one
// by one. The job of the import keeps the results, so that a repeated request has them too.

const MOST_ITEMS = 100;

const ofProduct = { ...changeShape(productFields), option_values: ChosenValues, inherits: Inherits };

const ProductBatchItem = z
  .strictObject({
    ...ofProduct,
    id: Id.describe("Product or variant to change. Without an id, `sku` names it"),
    parent_sku: line(100).describe("SKU of the product of a new variant, which may be an item above"),
    stock: UnitsAdjustment.describe("Adjustment of stock. `quantity` sets that of a new product too"),
  })
  .partial()
  .refine(({ id, sku }) => (id ?? sku) !== undefined, { path: ["sku"], error: "is required", ...coded("required") })
  .meta({ id: "ProductBatchItem" });

const itemsOf = <Item extends z.ZodType>(item: Item) => z.strictObject({ items: z.array(item).min(1).max(MOST_ITEMS) });

export const ProductBatchCreate = itemsOf(ProductBatchItem).meta({ id: "ProductBatchCreate" });

/** Items are checked one by one, so that one mistake refuses one item. */
export const UncheckedItems = itemsOf(z.record(z.string(), z.unknown()));
type UncheckedItems = z.output<typeof UncheckedItems>;

const Message = z.object({ field: z.string().nullable(), code: z.string(), message: z.string() });

export const ProductBatch = z
  .object({
    job_id: z.int().describe("Job of the batch, which `undoJob` undoes except for adjustments of stock"),
    failed: z.int().describe("Number of items that failed"),
    items: z
      .array(
        z.object({
          id: z.int().nullable().describe("Null if not sent and not found"),
          sku: z.string().nullable().describe("Null if not sent and not found"),
          status: z
            .enum(["created", "updated", "failed", "pending"])
            .describe(
              "`pending` items are written after the response. Repeat the request with the same Idempotency-Key to read their results",
            ),
          errors: z.array(Message),
          warnings: z.array(Message).describe("Values of a written item that were left out"),
        }),
      )
      .describe("Results in the order of the request"),
  })
  .meta({ id: "ProductBatch" });

/** A job stores 1,000 messages, which must be enough for each item. */
const MOST_ERRORS = 5;

const skuIn = ({ sku }: Record<string, unknown>): string | undefined =>
  typeof sku === "string" ? sku.trim() : undefined;

/** The record of an item that is not written, with the id and SKU that its result names. */
const failed = (
  at: number,
  fields: { id?: number | undefined; sku: unknown },
  failures: RowFailure[],
): ImportRecord => ({
  line: at,
  fields,
  failures: failures.map((failure) => ({ ...failure, line: at })),
});

/** An existing product has a value in each field that cannot be null. Beside an id, a null names no SKU. */
const HAS_VALUES = { ...Object.fromEntries(Object.keys(ofProduct).map((name) => [name, true])), sku: null };

type KnownProduct = { id: number; sku: string; parentSku: string | null };

/** The existing products that items name: by id, and all SKUs. */
type KnownProducts = { byId: ReadonlyMap<number, KnownProduct>; existing: ReadonlySet<unknown> };

/** Reads an item as the row of an import, with the SKU of its id. */
function recordOf(sent: Record<string, unknown>, at: number, { byId, existing }: KnownProducts): ImportRecord {
  const item = structuredClone(sent);
  dropNulls(ProductBatchItem, item, byId.has(Number(sent.id)) || existing.has(skuIn(sent)) ? HAS_VALUES : {});
  const { id: named, stock, ...fields } = item;
  const id = Id.safeParse(named).data;
  const changed = byId.get(id ?? 0);
  const known = id === undefined ? skuIn(item) : changed?.sku;
  const sku = skuIn(item) ?? known;
  const refused = (failures: RowFailure[]) => failed(at, { id, sku }, failures);
  const { error } = ProductBatchItem.safeParse(item);
  if (error) return refused(failuresOf(at, error.issues, item).slice(0, MOST_ERRORS));
  if (!known) return refused([{ field: "id", code: "unknown_reference", message: "does not exist" }]);
  if (sku !== known)
    return refused([{ field: "sku", code: "read_only", message: `is ${known}. Rename it with updateProduct` }]);
  if (changed && fields.parent_sku !== undefined && fields.parent_sku !== changed.parentSku)
    return refused([{ field: "parent_sku", code: "read_only", message: "cannot be changed" }]);
  return {
    line: at,
    fields: { ...fields, sku: known },
    adjustment: UnitsAdjustment.safeParse(stock).data ?? null,
    ...(id !== undefined && {
      onlyUpdates: { line: at, field: "id", code: "changed_meanwhile", message: "was deleted or renamed" },
    }),
  };
}

async function findKnown(db: Database, items: Record<string, unknown>[]): Promise<KnownProducts> {
  const [ids, skus] = [items.flatMap(({ id }) => id ?? []), items.flatMap((item) => skuIn(item) ?? [])];
  const rows = await db.all<KnownProduct>(sql`
    SELECT id, sku, (SELECT parent.sku FROM products AS parent WHERE parent.id = products.parent_id) AS parentSku
    FROM products WHERE id IN (
      SELECT value FROM json_each(${JSON.stringify(ids)})
      UNION ALL SELECT id FROM products WHERE sku IN (SELECT value FROM json_each(${JSON.stringify(skus)})))`);
  return { byId: new Map(rows.map((row) => [row.id, row])), existing: new Set(rows.map(({ sku }) => sku)) };
}

/** Creates the job that writes a batch. */
export async function createProductBatch(
  ctx: AuthorContext,
  { items, origin }: UncheckedItems & { origin: string },
): Promise<JobWithUndo> {
  requireFreshForChange(ctx.author, { subject: "job", after: { kind: "import_products" } });
  const known = await findKnown(ctx.db, items);
  const seen = new Set<unknown>();
  const records = items.map((item, at) => {
    const record = recordOf(item, at + 1, known);
    if (!record.fields || record.failures) return record;
    const { sku } = record.fields;
    if (seen.has(sku))
      return failed(record.line, { sku }, [{ field: "sku", code: "repeated", message: "belongs to an item above" }]);
    seen.add(sku);
    return { ...record, fields: withPaths(record.fields, origin) };
  });
  return createJob(ctx, { kind: "import_products", parameters: { records }, total: records.length });
}

type StoredFailure = Omit<RowFailure, "field"> & { field: string | null };
type WrittenProduct = { id: number; sku: string; isNew: number };

/** Returns the result of each item, as far as the job has come. */
export async function readProductBatch(db: Database, jobId: number): Promise<z.output<typeof ProductBatch>> {
  const job = requireRow(await findJob(db, jobId));
  const { records } = SentRecords.parse(job.parameters);
  const skus = JSON.stringify(records.map(({ fields }) => fields?.sku));
  const [failures, written] = await Promise.all([
    db.all<StoredFailure>(
      sql`SELECT line, field, code, message, is_warning AS isWarning FROM job_failures WHERE job_id = ${jobId} ORDER BY id`,
    ),
    db.all<WrittenProduct>(sql`
      SELECT id, sku, EXISTS (SELECT 1 FROM job_changes
        WHERE job_id = ${jobId} AND subject_id = products.id AND before IS NULL) AS isNew
      FROM products WHERE sku IN (SELECT value FROM json_each(${skus}))`),
  ]);
  const bySku = new Map(written.map((row) => [row.sku, row]));
  const seen = isOpen(job) ? job.done + job.failed : records.length;
  const items = records.map(({ line: at, fields }) => {
    const about = failures.filter((failure) => failure.line === at);
    const [errors, warnings] = [
      about.filter(({ isWarning }) => !isWarning),
      about.filter(({ isWarning }) => isWarning),
    ];
    const sku = skuIn(fields ?? {});
    const row = bySku.get(sku ?? "");
    const ends = row?.isNew ? ("created" as const) : ("updated" as const);
    const status = errors.length > 0 ? ("failed" as const) : at <= seen ? ends : ("pending" as const);
    return {
      id: Id.safeParse(fields?.id).data ?? row?.id ?? null,
      sku: sku ?? null,
      status,
      errors: errors.map(toMessage),
      warnings: warnings.map(toMessage),
    };
  });
  return { job_id: jobId, failed: items.filter(({ status }) => status === "failed").length, items };
}

const toMessage = ({ field, code, message }: StoredFailure) => ({
  field,
  code,
  message,
});
