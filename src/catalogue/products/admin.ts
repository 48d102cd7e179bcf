import { eq, type SQL, sql } from "drizzle-orm";
import { badRequest, externalIdTaken, fieldError } from "../../domain/errors.ts";
import { distinctTags } from "../../domain/tags.ts";
import { type AuditedTable, type Creation, changeWrites } from "../../platform/administration/write-queries.ts";
import type { AuthorContext } from "../../platform/auth/caller.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { categories, files, images, type ProductType, productFiles, products } from "../../platform/db/schema.ts";
import { foldedBySearch, searchedTexts } from "../../platform/db/search-words.ts";
import { insertSelected } from "../../platform/db/statements.ts";
import { spelledTags, writtenTags } from "../../platform/db/tags.ts";
import { hashInPath } from "../images/public.ts";
import type { ProductUpdate } from "./admin-schemas.ts";
import { type AuditedProduct, type EditableProduct, productState } from "./fields.ts";
import { productAsJson, selectAnyProducts, selectProducts } from "./products.ts";
import type { ProductRow, ProductWithVariants } from "./schemas.ts";

const productById = (db: Database, id: number) => selectAnyProducts(db).where(eq(products.id, id));

/** Returns a product as administrators see it, including unpublished files and inactive variants. */
export const findAnyProduct = (db: Database, id: number): Promise<ProductWithVariants | undefined> =>
  productById(db, id).get();

export const findAnyProducts = (db: Database, ids: number[]): Promise<ProductRow[]> =>
  selectProducts(db, "all")
    .where(sql`${products.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(products.id);

/** References in a write that do not exist: the category, and files and uploaded images by their index in the list. Tags need not exist. */
export type References = {
  category: number | null;
  files: [index: number, id: number][];
  images: number[];
  /** The sent tags, in the spelling of those that exist. */
  tags: string[];
};

const references = (db: Database, { category_id = null, file_ids = [], images: shown, tags = [] }: ProductUpdate) =>
  db
    .select({
      category: sql<number | null>`(
        SELECT ${category_id} WHERE ${category_id} NOT IN (SELECT ${categories.id} FROM ${categories}))`,
      files: json<References["files"]>(sql`(
        SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(file_ids)})
        WHERE value NOT IN (SELECT ${files.id} FROM ${files})
      )`),
      images: json<References["images"]>(sql`(
        SELECT json_group_array(value ->> 0) FROM json_each(${JSON.stringify(uploadedIn(shown))})
        WHERE value ->> 1 NOT IN (SELECT ${images.sha256} FROM ${images})
      )`),
      tags: spelledTags(distinctTags(tags)),
    })
    .from(sql`(SELECT 1)`);

/** Looks up everything that a new product refers to. */
export async function findReferences(db: Database, sent: ProductUpdate): Promise<References> {
  return requireFirst(await references(db, sent));
}

/** Reads a product and everything that a change to it refers to, in one round trip. */
export async function findForChange(db: Database, id: number, sent: ProductUpdate) {
  const [[product], found] = await db.batch([productById(db, id), references(db, sent)]);
  return { product, found: requireFirst(found) };
}

const grantFiles = (product: SQL | number, fileIds: number[]): SQL =>
  insertSelected(
    productFiles,
    { productId: product, fileId: sql`value` },
    sql`FROM json_each(${JSON.stringify(fileIds)})`,
  );

export const filesOf = (fileIds: number[]) => fileIds.map((id) => ({ id }));

export const auditedProducts: AuditedTable<ProductWithVariants, AuditedProduct> = {
  table: products,
  name: "products",
  subject: "product",
  json: productAsJson,
  audited: productState,
  folded: foldedBySearch(searchedTexts.products),
  refusals: {
    stock_not_managed: () =>
      badRequest(fieldError("manage_stock", "stock_not_managed", "must be on for uploaded license keys. Start at 0")),
    "products.slug": () => badRequest(fieldError("slug", "slug_taken", "belongs to another product")),
    compare_at_price_is_higher: () =>
      badRequest(
        fieldError(
          "compare_at_price",
          "invalid",
          "must be higher than the price, or empty for a product that is not reduced",
        ),
      ),
    gift_card_is_only_its_value: () =>
      badRequest(
        fieldError("type", "invalid", "of a gift card needs a price, and neither shipping, renewal nor a license"),
      ),
    image_deleted: () =>
      badRequest(fieldError("images", "unknown_reference", "name an uploaded image that was deleted in the meantime")),
    "products.sku": () => badRequest(fieldError("sku", "sku_taken", "belongs to another product")),
    "products.external_id": externalIdTaken,
    option_values_do_not_fit: () =>
      badRequest(
        fieldError(
          "option_values",
          "unknown_reference",
          "must be values of the product's options. Add them there first",
        ),
      ),
    "products.option_values": () =>
      badRequest(fieldError("option_values", "option_values_taken", "belong to another variant of the product")),
  },
};

/** Values that an edit can set without checking anything else. */
export type EditedColumns = Partial<
  Pick<ProductRow, "status" | "ownStatus" | "categoryId" | "price" | "compareAtPrice" | "tags">
>;

/** Returns the statements of a product edit, for a batch. */
export const productWrites = (
  ctx: AuthorContext,
  { before, columns: { tags, ...columns } }: { before: ProductRow; columns: EditedColumns },
): SQL[] =>
  changeWrites(ctx, {
    target: auditedProducts,
    action: "update",
    before: { ...before, variants: [] },
    change: { columns: withOwnStatus(before, columns), ...(tags && writtenTags("products", tags)) },
  });

/** The status that people set for a variant is its own: its effective status follows its parent, by triggers. */
export const withOwnStatus = <Columns extends { status?: ProductRow["status"] | undefined }>(
  { parentId }: ProductRow,
  { status, ...columns }: Columns,
) => ({ ...columns, ...(status !== undefined && (parentId === null ? { status } : { ownStatus: status })) });

/** Insertion of a product with the files it grants and its tags. */
export function newProduct({ fileIds, ...row }: EditableProduct): Creation<AuditedProduct> {
  const tags = row.tags.length > 0 ? writtenTags("products", row.tags) : undefined;
  return {
    row: { ...row, ...tags?.stored },
    where: eq(products.slug, row.slug),
    state: { ...row, files: filesOf(fileIds) },
    ahead: tags?.ahead ?? [],
    statements: (id) => [grantFiles(id, fileIds)],
  };
}

/** Makes products grant exactly these files. Grants that stay are not written, because a change gives variants a new version. */
export function replaceFiles(rows: { id: number; fileIds: number[] }[]): SQL[] {
  const [ids, granted] = [
    JSON.stringify(rows.map(({ id }) => id)),
    JSON.stringify(rows.flatMap(({ id, fileIds }) => fileIds.map((fileId) => [id, fileId]))),
  ];
  const { productId, fileId, inherited } = productFiles;
  return [
    sql`DELETE FROM ${productFiles} WHERE ${productId} IN (SELECT value FROM json_each(${ids}))
      AND (${productId}, ${fileId}) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${granted}))`,
    insertSelected(
      productFiles,
      { productId: sql`value ->> 0`, fileId: sql`value ->> 1` },
      sql`FROM json_each(${granted}) WHERE TRUE ON CONFLICT DO UPDATE SET ${sql.identifier(inherited.name)} = FALSE`,
    ),
  ];
}

type Images = { url: string; alt: string }[] | undefined;

/**
 * Replaces URLs of the deployment's own images with paths, so that they still resolve if the deployment moves to another
 * host.
 */
export function withPaths<Sent extends object>(sent: Sent & { images?: Images }, origin: string): Sent {
  const pathOf = (url: string) => {
    const path = url.slice(origin.length);
    return url.startsWith(`${origin}/`) && new URL(path, origin).href === url ? path : url;
  };
  const images = sent.images?.map(({ url, alt }) => ({ url: pathOf(url), alt }));
  return images ? { ...sent, images } : sent;
}

/** Returns the hashes of the uploaded images in the list, each with its index. */
const uploadedIn = (shown: Images = []): [index: number, sha256: string][] =>
  shown.flatMap(({ url }, index) => {
    const sha256 = hashInPath(url);
    return sha256 === null ? [] : [[index, sha256]];
  });

/** Returns true for physical goods, which are shipped by default, unlike files and services. */
export const isSentByDefault = (type: string | undefined): boolean => type === ("physical" satisfies ProductType);
