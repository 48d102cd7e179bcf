import {
  AdminProduct,
  type AllProductFilters,
  findAnyProducts,
  idsOfProducts,
  toAdminProduct,
} from "../../catalogue/products/public.ts";
import type { Place } from "./schemas.ts";
import type { Source } from "./stream.ts";
import { allIds, byIds, type Reading } from "./walk.ts";

const columns = Object.keys(AdminProduct.shape).flatMap((name) =>
  name === "category" ? ["category", "category_id", "category_slug"] : name === "files" ? ["file_ids"] : [name],
);

/** Products, in CSV with the columns that an import reads. */
export function productSource(reading: Reading, query: AllProductFilters & Place, isFlat: boolean): Source {
  const { db, currency, origin } = reading;
  const ids = allIds((after, limit) => idsOfProducts(db, query, after, limit), query.after_id);
  const next = byIds(
    ids,
    (some) => findAnyProducts(db, some),
    (row) => {
      const product = { ...toAdminProduct(row, { currency, origin }), images: row.images };
      if (!isFlat) return [product];
      const { category, files, ...plain } = product;
      const flat = { category: category?.name, category_id: category?.id, category_slug: category?.slug };
      return [{ ...plain, ...flat, file_ids: files.map(({ id }) => id).join(" ") }];
    },
  );
  return { columns, next };
}
