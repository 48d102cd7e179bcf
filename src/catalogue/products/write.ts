import { badRequest, conflict, fieldError, notFound, requireFound } from "../../domain/errors.ts";
import { slugOf } from "../../domain/slug.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import { applyChange, applyCreation, applyDeletion } from "../../platform/administration/write-queries.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import type { Database } from "../../platform/db/client.ts";
import { withFreeSlug } from "../../platform/db/free-slugs.ts";
import { isSame } from "../../platform/db/statements.ts";
import { writtenTags } from "../../platform/db/tags.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import {
  auditedProducts,
  filesOf,
  findAnyProduct,
  findForChange,
  findReferences,
  isSentByDefault,
  newProduct,
  type References,
  replaceFiles,
  withOwnStatus,
} from "./admin.ts";
import type { ProductCreate, ProductUpdate } from "./admin-schemas.ts";
import { productFields } from "./fields.ts";
import type { ProductRow, ProductWithVariants } from "./schemas.ts";
import { belowHeld, countOrderedUnits } from "./stock.ts";
import { changeOfParent, changeOfVariant, refuseSoldFields } from "./variants/change.ts";

// Writes of products by staff.

export async function createProduct(ctx: AuthorContext, sent: ProductCreate): Promise<ProductWithVariants> {
  if (sent.options.length > 0) refuseSoldFields(sent);
  const found = await findReferences(ctx.db, sent);
  refuseMissing(found);
  const write = (slug: string) => {
    const manageStock = typeof sent.stock_quantity === "number";
    const derived = { slug, manageStock, requiresShipping: isSentByDefault(sent.type) };
    const row = { ...newRow(productFields, sent, derived), tags: found.tags };
    return applyCreation(ctx, { target: auditedProducts, ...newProduct(row) });
  };
  if (sent.slug !== undefined) return write(sent.slug);
  return withFreeSlug(ctx.db, "products", await slugOf(sent.name), write);
}

export async function changeProduct(
  ctx: AuthorContext,
  { id, change, ifMatch }: { id: number; change: ProductUpdate; ifMatch: IfMatch },
): Promise<ProductWithVariants> {
  const { product, found } = await findForChange(ctx.db, id, change);
  if (!product) throw notFound(`Product ${id}`);
  const decide = () => {
    refuseMissing(found);
    const { option_values: _, inherits: __, ...fields } = change;
    const { fileIds, tags: sentTags, ...columns } = toColumns(productFields, fields);
    const { statements = [], ...ofVariants } =
      product.parentId === null ? changeOfParent(product, change, ctx.author.now) : changeOfVariant(product, change);
    // Inherited files that are sent back stay inherited.
    const ownFiles = ofVariants.inherits?.includes("file_ids") ? undefined : fileIds;
    const tags = sentTags && !isSame(found.tags, product.tags) ? writtenTags("products", found.tags) : undefined;
    return {
      ...tags,
      columns: { ...withOwnStatus(product, columns), ...stockOf(product, change), ...ofVariants },
      related: { ...(ownFiles && { files: filesOf(ownFiles) }), ...tags?.related },
      statements: [...statements, ...(ownFiles ? replaceFiles([{ id, fileIds: ownFiles }]) : [])],
      refusals: { stock_not_negative: async () => belowHeld("stock_quantity", await countOrderedUnits(ctx.db, id)) },
    };
  };
  return applyChange(ctx, { target: auditedProducts, action: "update", before: product, ifMatch, decide });
}

/** Deletes a product that was never sold. A sold product cannot be deleted, only made a draft. */
export async function removeProduct(
  ctx: AuthorContext,
  { id, ifMatch }: { id: number; ifMatch: IfMatch },
): Promise<void> {
  const before = await requireProduct(ctx.db, id);
  const inUse = () =>
    conflict(
      "in_use",
      "The product or one of its variants has been sold. Set its status to draft to remove it from the shop",
    );
  await applyDeletion(ctx, { target: auditedProducts, before, ifMatch, inUse });
}

export const requireProduct = (db: Database, id: number): Promise<ProductWithVariants> =>
  requireFound(findAnyProduct(db, id), `Product ${id}`);

/**
 * Returns the stock columns of an edit. Managed stock sells during an edit, so it changes only by adjustments; an edit can
 * only start or stop managing stock.
 */
function stockOf(before: ProductRow, { manage_stock, stock_quantity }: ProductUpdate) {
  const managed = manage_stock ?? before.manageStock;
  if (!managed) {
    if (typeof stock_quantity === "number") {
      throw badRequest(fieldError("stock_quantity", "not_applicable", "requires managed stock: turn it on too"));
    }
    return { stockQuantity: null };
  }
  if (!before.manageStock) {
    if (typeof stock_quantity === "number") return { stockQuantity: stock_quantity };
    throw badRequest(fieldError("stock_quantity", "required", "is required to start managing stock"));
  }
  // A value sent back as it was read is not a change: the stock may have changed since.
  if (stock_quantity === undefined || stock_quantity === before.stockQuantity) return { stockQuantity: undefined };
  throw badRequest(
    fieldError(
      "stock_quantity",
      "read_only",
      "can only be changed by a stock adjustment, which has a reason: POST /products/:id/stock",
    ),
  );
}

export function refuseMissing({ category, files, images }: References): void {
  const errors = [
    ...files.map(([index, id]) => fieldError(`file_ids.${index}`, "unknown_reference", `file ${id} does not exist`)),
    ...images.map((index) =>
      fieldError(`images.${index}.url`, "unknown_reference", "names an image that does not exist. Upload it first"),
    ),
  ];
  if (category !== null) {
    errors.push(fieldError("category_id", "unknown_reference", `category ${category} does not exist`));
  }
  if (errors.length > 0) throw badRequest(errors);
}
