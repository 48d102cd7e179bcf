import { badRequest, conflict, fieldError, notFound } from "../../domain/errors.ts";
import { slugOf } from "../../domain/slug.ts";
import { newRow, toColumns } from "../../platform/administration/fields.ts";
import {
  applyChange,
  applyCreation,
  applyDeletion,
  type WriteRequest,
} from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import { withFreeSlug } from "../../platform/db/free-slugs.ts";
import {
  auditedProducts,
  findAnyProduct,
  findForChange,
  findReferences,
  isSentByDefault,
  newProduct,
  type References,
  replaceFiles,
} from "./admin.ts";
import type { NewProduct, ProductChange } from "./admin-schemas.ts";
import { productFields } from "./fields.ts";
import type { ProductRow } from "./schemas.ts";
import { belowHeld, countOrderedUnits } from "./stock.ts";

// What the shop sells, as people write it.

export async function createProduct(request: Omit<WriteRequest, "ifMatch">, sent: NewProduct): Promise<ProductRow> {
  refuseMissing(await findReferences(request.db, sent));
  const write = (slug: string) => {
    const manageStock = typeof sent.stock_quantity === "number";
    const derived = { slug, manageStock, requiresShipping: isSentByDefault(sent.type) };
    return applyCreation(request, auditedProducts, newProduct(newRow(productFields, sent, derived)));
  };
  if (sent.slug !== undefined) return write(sent.slug);
  return withFreeSlug(request.db, "products", await slugOf(sent.name), write);
}

export async function changeProduct(request: WriteRequest, id: number, sent: ProductChange): Promise<ProductRow> {
  const { db } = request;
  const { product, found } = await findForChange(db, id, sent);
  if (!product) throw notFound(`Product ${id}`);
  return applyChange(request, auditedProducts, "update", product, () => {
    refuseMissing(found);
    const { fileIds, ...columns } = toColumns(productFields, sent);
    return {
      columns: { ...columns, ...stockOf(product, sent) },
      ...(fileIds && replaceFiles(id, fileIds)),
      refusals: { stock_not_negative: async () => belowHeld("stock_quantity", await countOrderedUnits(db, id)) },
    };
  });
}

/** Takes a product that was never sold out of the world; a sold one stays, as a draft if need be. */
export async function removeProduct(request: WriteRequest, id: number): Promise<void> {
  await applyDeletion(request, auditedProducts, await requireProduct(request.db, id), () =>
    conflict("in_use", "The product was sold: set its status to draft to take it from the shop"),
  );
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
    throw badRequest(fieldError("stock_quantity", "required", "is required to start managing stock"));
  }
  // What was sent as it was read is no change, and by now the stock may be another.
  if (stock_quantity === undefined || stock_quantity === before.stockQuantity) return { stockQuantity: undefined };
  throw badRequest(
    fieldError("stock_quantity", "read_only", "changes by an adjustment with a reason: POST /products/:id/stock"),
  );
}

function refuseMissing({ category, files, images }: References): void {
  const errors = [
    ...files.map(([index, id]) => fieldError(`file_ids.${index}`, "unknown_reference", `file ${id} does not exist`)),
    ...images.map((index) =>
      fieldError(`images.${index}.url`, "unknown_reference", "names an image that does not exist: upload it first"),
    ),
  ];
  if (category !== null) {
    errors.push(fieldError("category_id", "unknown_reference", `category ${category} does not exist`));
  }
  if (errors.length > 0) throw badRequest(errors);
}
