import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, conflict, type FieldError, fieldError } from "../../../domain/errors.ts";
import { toDecimal, toDecimalOrNull } from "../../../domain/money.ts";
import { requireFreshForChange } from "../../../platform/administration/sensitive-changes.ts";
import { auditEntry, difference } from "../../../platform/audit/audit.ts";
import type { AuthorContext, WriteContext } from "../../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../../platform/db/client.ts";
import { products, stockAdjustments } from "../../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../../platform/db/search-words.ts";
import {
  insertSelected,
  precondition,
  translateViolations,
  unchanged,
  versionAfter,
} from "../../../platform/db/statements.ts";
import { type IfMatch, requireVersion } from "../../../platform/http/version.ts";
import { writeOnce } from "../../../platform/idempotency/claims.ts";
import { productFields } from "../fields.ts";
import { productAsJson } from "../products.ts";
import type { ProductWithVariants, VariantRow } from "../schemas.ts";
import {
  countOrderedUnits,
  heldUnits,
  readHeldUnits,
  StockQuantity,
  stockNotManaged,
  UnitsAdjustment,
} from "../stock.ts";
import { requireProduct } from "../write.ts";
import { variantWrites } from "./change.ts";

const { sku, price, compare_at_price, status } = productFields;

/** Changes of several variants of one product, by the variant's id. */
export const VariantsChange = z.strictObject({
  variants: z.record(
    z.string(),
    z
      .strictObject({
        sku: sku.schema,
        price: price.schema,
        compare_at_price: compare_at_price.schema,
        status: status.schema,
        /** Counted units, including those that orders hold. */
        on_hand: StockQuantity,
        /** One of the product's images. Null to follow the product. */
        image: z.string().max(2_000).nullable(),
      })
      .partial(),
  ),
  /** Why counted stock changes. */
  reason: UnitsAdjustment.shape.reason.optional(),
});
type VariantsChange = z.output<typeof VariantsChange>;

/** A variant with the units on hand. Null if its stock is not managed. */
export type CountedVariant = VariantRow & { onHand: number | null };

/** The variants of a product with their units on hand. */
export async function countVariants(db: Database, { id, variants }: ProductWithVariants): Promise<CountedVariant[]> {
  const held = variants.length === 0 ? new Map<number, number>() : await readHeldUnits(db, id);
  return variants.map((row) => ({
    ...row,
    onHand: row.stockQuantity === null ? null : row.stockQuantity + (held.get(row.id) ?? 0),
  }));
}

/** Changes several variants of a product in one batch with one audit entry. */
export async function changeVariants(
  ctx: AuthorContext,
  { id, change, ifMatch }: { id: number; change: VariantsChange; ifMatch: IfMatch },
): Promise<ProductWithVariants> {
  const { db, author } = ctx;
  const parent = await requireProduct(db, id);
  requireVersion(ifMatch, parent.updatedAt);
  const changed = rowsAfter(parent, await countVariants(db, parent), change);
  if (changed.length === 0) return parent;
  const states = changed.map(({ before, after }) => difference(stateOf(before), stateOf(after)));
  for (const state of states) requireFreshForChange(author, { subject: "product", ...state });
  const named = (which: "before" | "after") =>
    changed.map(({ before }, place) => ({ variant: before.sku, ...states[place]?.[which] }));
  const writes = [
    unchanged("products", parent),
    ...variantWrites({ id, count: changed.length, now: author.now }, writesOf(ctx, changed, change.reason)),
    auditEntry(
      { author },
      {
        subject: "product",
        action: "change_variants",
        id,
        before: { variants: named("before") },
        after: { variants: named("after"), ...(changed.some(isAdjusted) && { reason: change.reason }) },
      },
    ),
  ];
  const answer = sql`(SELECT ${productAsJson} FROM ${products} WHERE ${products.id} = ${id})`;
  return requireRow(
    await translateViolations(writeOnce<ProductWithVariants>(ctx, { writes, answer }), {
      "products.sku": async () => badRequest(await takenSkus(db, changed)),
      stock_not_negative: async () => badRequest(await belowOrdered(db, changed)),
      stock_not_managed: () => badRequest(fieldError("variants", "stock_not_managed", stockNotManaged)),
      row_changed: () => conflict("changed_meanwhile", "The product was changed at the same time. Try again"),
    }),
  );
}

type ChangedVariant = {
  before: CountedVariant;
  /** `picture` is the variant's own, or null to follow its product. Undefined if it is unchanged. */
  after: CountedVariant & { picture?: ProductWithVariants["images"][number] | null };
};

/** Variants that change, or a 400 that names each wrong field. */
function rowsAfter(
  { images }: ProductWithVariants,
  variants: CountedVariant[],
  { variants: changes, reason }: VariantsChange,
): ChangedVariant[] {
  const known = new Map(variants.map((row) => [String(row.id), row]));
  const errors: FieldError[] = [];
  const changed = Object.entries(changes).flatMap(([id, sent]): ChangedVariant[] => {
    const before = known.get(id);
    if (!before) {
      errors.push(fieldError(`variants.${id}`, "unknown_reference", "is not a variant of the product"));
      return [];
    }
    const picture = images.find(({ url }) => url === sent.image);
    if (sent.image && !picture) {
      errors.push(fieldError(`variants.${id}.image`, "unknown_reference", "is not an image of the product"));
    }
    const after: ChangedVariant["after"] = {
      ...before,
      ...(sent.image !== undefined && {
        image: sent.image ?? images[0]?.url ?? null,
        picture: picture ?? null,
      }),
      sku: sent.sku ?? before.sku,
      price: sent.price ?? before.price,
      compareAtPrice: sent.compare_at_price === undefined ? before.compareAtPrice : sent.compare_at_price,
      status: sent.status ?? before.status,
      onHand: sent.on_hand ?? before.onHand,
    };
    if (after.compareAtPrice !== null && after.compareAtPrice <= after.price) {
      errors.push(fieldError(`variants.${id}.compare_at_price`, "invalid", "must be higher than the price, or empty"));
    }
    const held = (before.onHand ?? 0) - (before.stockQuantity ?? 0);
    if (after.onHand !== null && after.onHand < held) errors.push(belowHeld(id, held));
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }];
  });
  const sought = new Map<string, number>();
  for (const { after } of changed) sought.set(after.sku, (sought.get(after.sku) ?? 0) + 1);
  for (const { after } of changed) {
    if ((sought.get(after.sku) ?? 0) > 1) errors.push(skuTaken(after.id));
  }
  if (reason === undefined && changed.some(isAdjusted)) {
    errors.push(fieldError("reason", "required", "is required to change counted stock"));
  }
  if (errors.length > 0) throw badRequest(errors);
  return changed;
}

const isAdjusted = ({ before, after }: ChangedVariant): boolean =>
  before.onHand !== null && before.onHand !== after.onHand;

const stateOf = ({ sku: code, price: amount, compareAtPrice, status: shown, onHand, image }: CountedVariant) => ({
  sku: code,
  price: toDecimal(amount),
  compare_at_price: toDecimalOrNull(compareAtPrice),
  status: shown,
  on_hand: onHand,
  image,
});

function writesOf({ author }: Pick<WriteContext, "author">, changed: ChangedVariant[], reason?: string): SQL[] {
  const edited = changed.filter(
    ({ before, after }) =>
      before.onHand === null || JSON.stringify({ ...before, onHand: after.onHand }) !== JSON.stringify(after),
  );
  const adjusted = changed.filter(isAdjusted);
  const each = (rows: object[]) =>
    sql`json_each(${JSON.stringify(rows)}) JOIN products ON products.id = value ->> 'id'`;
  const onHand = sql`(products.stock_quantity + ${heldUnits(sql`products.id`)})`;
  const counts = adjusted.map(({ before, after }) => ({ id: after.id, was: before.onHand, counted: after.onHand }));
  const renamed = edited.filter(({ before, after }) => before.sku !== after.sku).map(({ after }) => after.id);
  return [
    ...(adjusted.length === 0
      ? []
      : [
          precondition(sql`NOT EXISTS (SELECT 1 FROM ${each(counts)} WHERE ${onHand} IS NOT value ->> 'was')`),
          insertSelected(
            stockAdjustments,
            {
              productId: sql`products.id`,
              delta: sql`(value ->> 'counted') - ${onHand}`,
              reason: reason ?? "",
              actor: author.actor,
              createdAt: author.now,
            },
            sql`FROM ${each(counts)}`,
          ),
        ]),
    // Frees SKUs that move from one variant to another.
    ...(renamed.length === 0
      ? []
      : [
          sql`UPDATE products SET sku = sku || hex(randomblob(16)) WHERE id IN (SELECT value FROM json_each(${JSON.stringify(renamed)}))`,
        ]),
    ...(edited.length === 0
      ? []
      : [
          sql`UPDATE products SET sku = value ->> 'sku', folded_words = value ->> 'foldedWords', price = value ->> 'price',
            compare_at_price = value ->> 'compareAtPrice', own_status = value ->> 'status',
            stock_quantity = iif(manage_stock, stock_quantity, value ->> 'onHand'),
            images = iif(json_type(value, '$.picture') = 'object', json_array(json(value -> 'picture')), products.images),
            inherits = CASE json_type(value, '$.picture')
              WHEN 'object' THEN (
                SELECT json_group_array(item.value) FROM json_each(products.inherits) AS item WHERE item.value <> 'images')
              WHEN 'null' THEN iif(instr(products.inherits, '"images"'), products.inherits,
                json_insert(products.inherits, '$[#]', 'images'))
              ELSE products.inherits END,
            manage_stock = manage_stock OR value ->> 'onHand' IS NOT NULL, updated_at = ${versionAfter(author.now)}
            FROM json_each(${JSON.stringify(edited.map(({ after }) => ({ ...after, foldedWords: foldedWords(searchedTexts.variants(after)) })))}) WHERE products.id = value ->> 'id'`,
        ]),
  ];
}

const belowHeld = (id: number | string, held: number): FieldError =>
  fieldError(
    `variants.${id}.on_hand`,
    "below_held",
    `must be at least ${held}, the number of units held by unshipped orders`,
    { held },
  );

const skuTaken = (id: number): FieldError =>
  fieldError(`variants.${id}.sku`, "sku_taken", "belongs to another product");

async function takenSkus(db: Database, changed: ChangedVariant[]): Promise<FieldError[]> {
  const skus = JSON.stringify(changed.map(({ after }) => after.sku));
  const ids = JSON.stringify(changed.map(({ after }) => after.id));
  const taken = await db
    .select({ sku: products.sku })
    .from(products)
    .where(sql`sku IN (SELECT value FROM json_each(${skus})) AND id NOT IN (SELECT value FROM json_each(${ids}))`);
  return changed.flatMap(({ after }) => (taken.some((row) => row.sku === after.sku) ? [skuTaken(after.id)] : []));
}

/** Errors for stock that starts to be counted below the units of unsent orders. */
async function belowOrdered(db: Database, changed: ChangedVariant[]): Promise<FieldError[]> {
  const starting = changed.filter(({ before, after }) => before.onHand === null && after.onHand !== null);
  const ordered = await Promise.all(starting.map(({ after }) => countOrderedUnits(db, after.id)));
  return starting.flatMap(({ after }, place) => {
    const units = ordered[place] ?? 0;
    return (after.onHand ?? 0) < units ? [belowHeld(after.id, units)] : [];
  });
}
