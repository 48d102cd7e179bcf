export { type EditedColumns, findAnyProducts, productWrites } from "./admin-queries.ts";
export {
  AdminProduct,
  type AllProductFilters,
  AllProductsQuery,
  allProductFilters,
  NewProduct,
  ProductChange,
  toAdminProduct,
} from "./admin-schemas.ts";
export { readListedIds as readProductIds } from "./cursor-queries.ts";
export {
  MAX_DESCRIPTION,
  MAX_IMAGE_ALT,
  MAX_PRODUCT_IMAGES,
  MAX_PRODUCT_NAME,
  type ProductState,
  productFields,
  productState,
} from "./fields.ts";
export { selectProducts } from "./queries.ts";
export { type ProductRow, pricesInOrder } from "./schemas.ts";
export { isSentByDefault } from "./shipping.ts";
export { adjustmentWrites } from "./stock-queries.ts";
export { NewStockAdjustment } from "./stock-schemas.ts";
export { idsOfProducts } from "./walk-queries.ts";
