import { sql } from "drizzle-orm";
import { isItemForSale } from "../../catalogue/products/public.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import type { Database } from "../../platform/db/client.ts";
import { products } from "../../platform/db/schema.ts";

const SEPARATORS = /([/.?&=#])/;

/** The pattern of the shop's product pages. It is made from the address of a product by replacing its slug or id. */
export async function patternOf(db: Database, address: string): Promise<string> {
  if (/\{(id|slug)\}/.test(address)) return address;
  const parts = address.split(SEPARATORS);
  const texts = JSON.stringify(parts.filter((_, at) => at % 2 === 0));
  const found = await db
    .select({ id: products.id, slug: products.slug })
    .from(products)
    .where(
      sql`${products.slug} IN (SELECT value FROM json_each(${texts}))
        OR ${products.id} IN (SELECT CAST(value AS INTEGER) FROM json_each(${texts}) WHERE value NOT GLOB '*[^0-9]*')`,
    );
  for (const name of ["slug", "id"] as const) {
    const known = new Set(found.map((product) => String(product[name])));
    const at = parts.findLastIndex((part) => known.has(part));
    if (at >= 0) return withoutDetails(parts.with(at, `{${name}}`));
  }
  throw badRequest(
    fieldError(
      "product_url",
      "unknown_reference",
      "is not the page of a product. Copy the address of a product in your shop, or put {slug} or {id} in place of its name",
    ),
  );
}

/** Leaves out the query and the fragment, such as a chosen variant, unless they name the product. */
function withoutDetails(parts: string[]): string {
  const [page = "", ...details] = parts.join("").split(/(?=[?#])/);
  return [page, ...details.filter((part) => part.includes("{"))].join("");
}

/** Returns a product of the feeds, to preview the address that a pattern makes. */
export const findExample = (db: Database) =>
  db
    .select({ id: products.id, parentId: products.parentId, slug: products.slug, name: products.name })
    .from(products)
    .where(isItemForSale)
    .limit(1)
    .get();
