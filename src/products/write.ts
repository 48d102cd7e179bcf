import { difference } from "../audit/entry.ts";
import type { Author } from "../auth/author.ts";
import type { Database } from "../db/client.ts";
import { merge } from "../db/merge.ts";
import { slugOf, slugWithSuffix, withUniqueSlug } from "../domain/slug.ts";
import { badRequest, fieldError, notFound } from "../errors.ts";
import { type IfMatch, requireVersion } from "../http/version.ts";
import {
  deleteProduct,
  findAnyProduct,
  findForChange,
  findReferences,
  insertProduct,
  type References,
  updateProduct,
} from "./admin-queries.ts";
import { auditedState, type NewProduct, type NewProductRow, type ProductChange, toColumns } from "./admin-schemas.ts";
import type { ProductRow } from "./schemas.ts";
import { isSentByDefault } from "./shipping.ts";

// What the shop sells, as people write it. Each write stands in the audit log with what it changed.

export async function createProduct(db: Database, sent: NewProduct, author: Author): Promise<ProductRow> {
  const made = slugOf(sent.name);
  const found = await findReferences(db, sent, made);
  refuseMissing(found);
  if (sent.slug !== undefined) return writeProduct(db, sent, sent.slug, author);
  const free = found.slugTaken ? slugWithSuffix(made) : made;
  return withUniqueSlug(free, (slug) => writeProduct(db, sent, slug, author));
}

function writeProduct(db: Database, sent: NewProduct, slug: string, author: Author): Promise<ProductRow> {
  const blank = {
    name: sent.name,
    sku: sent.sku,
    slug,
    type: sent.type,
    status: "draft" as const,
    description: "",
    price: sent.price,
    compareAtPrice: null,
    categoryId: null,
    images: [],
    requiresShipping: isSentByDefault(sent.type),
    manageStock: typeof sent.stock_quantity === "number",
    stockQuantity: null,
    downloadLimit: null,
    downloadDays: null,
    metadata: {},
  };
  const row = merge<NewProductRow>(blank, toColumns(sent));
  const fileIds = [...new Set(sent.file_ids)];
  const after = auditedState({ ...row, files: fileIds.map((id) => ({ id })) });
  return insertProduct(db, row, fileIds, author, { action: "create", subject: "product", before: null, after });
}

export async function changeProduct(
  db: Database,
  id: number,
  sent: ProductChange,
  ifMatch: IfMatch,
  author: Author,
): Promise<ProductRow> {
  const { product: before, found } = await findForChange(db, id, sent);
  if (!before) throw notFound(`Product ${id}`);
  requireVersion(ifMatch, before.updatedAt);
  refuseMissing(found);
  const columns = { ...toColumns(sent), ...stockOf(before, sent) };
  const fileIds = sent.file_ids && [...new Set(sent.file_ids)];
  const files = fileIds?.map((fileId) => ({ id: fileId }));
  const after = { ...merge<NewProductRow>(before, columns), files: files ?? before.files };
  const entry = {
    action: "update",
    subject: "product",
    ...difference(auditedState(before), auditedState(after)),
  } as const;
  return updateProduct(db, before, { columns, fileIds }, author, entry);
}

/** Takes a product that was never sold out of the world; a sold one stays, as a draft if need be. */
export async function removeProduct(db: Database, id: number, ifMatch: IfMatch, author: Author): Promise<void> {
  const before = await requireProduct(db, id);
  requireVersion(ifMatch, before.updatedAt);
  await deleteProduct(db, before, author, {
    action: "delete",
    subject: "product",
    before: auditedState(before),
    after: null,
  });
}

export async function requireProduct(db: Database, id: number): Promise<ProductRow> {
  const product = await findAnyProduct(db, id);
  if (!product) throw notFound(`Product ${id}`);
  return product;
}

/** A stock that is managed sells while it is edited, so it only changes by adjustments; an edit begins or ends managing it. */
function stockOf(before: ProductRow, { manage_stock, stock_quantity }: ProductChange) {
  const managed = manage_stock ?? before.manageStock;
  if (!managed) {
    if (typeof stock_quantity === "number") {
      throw badRequest(
        fieldError(
          "stock_quantity",
          "not_applicable",
          "is for products whose stock is managed: send manage_stock true too",
        ),
      );
    }
    return { stockQuantity: null };
  }
  if (!before.manageStock) {
    if (typeof stock_quantity === "number") return { stockQuantity: stock_quantity };
    throw badRequest(fieldError("stock_quantity", "required", "is required to begin managing the stock"));
  }
  // What was sent as it was read is no change, and by now the stock may be another.
  if (stock_quantity === undefined || stock_quantity === before.stockQuantity) return { stockQuantity: undefined };
  throw badRequest(
    fieldError("stock_quantity", "read_only", "changes by an adjustment with a reason: POST /products/:id/stock"),
  );
}

function refuseMissing({ category, files }: References): void {
  const errors = files.map(([index, id]) =>
    fieldError(`file_ids.${index}`, "unknown_reference", `file ${id} does not exist`),
  );
  if (category !== null) {
    errors.push(fieldError("category_id", "unknown_reference", `category ${category} does not exist`));
  }
  if (errors.length > 0) throw badRequest(errors);
}
