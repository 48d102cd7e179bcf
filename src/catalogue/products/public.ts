export {
  type EditedColumns,
  findAnyProducts,
  isSentByDefault,
  productWrites,
  replaceFiles,
  withPaths,
} from "./admin.ts";
export {
  AdminProduct,
  type AllProductFilters,
  AllProductsQuery,
  allProductFilters,
  ProductCreate,
  ProductUpdate,
  toAdminProduct,
} from "./admin-schemas.ts";
export {
  type EditableProduct,
  Image,
  MAX_BRAND,
  MAX_DESCRIPTION,
  MAX_IMAGE_ALT,
  MAX_PRODUCT_IMAGES,
  MAX_PRODUCT_NAME,
  MAX_SEO_DESCRIPTION,
  MAX_SEO_TITLE,
  productFields,
  productState,
} from "./fields.ts";
export { findVariantIds } from "./listing/list.ts";
export { pricesInOrder } from "./listing/query.ts";
export { readProductIds, walkProductIds } from "./listing/walk.ts";
export {
  findProductsWithParents,
  type ItemForSale,
  isItemForSale,
  readItemsForSale,
  selectProducts,
} from "./products.ts";
export type { ProductRow } from "./schemas.ts";
export { adjustmentWrites, type StockChange, stockNotManaged, UnitsAdjustment } from "./stock.ts";
export { takenFromParent } from "./variants/change.ts";
export { ChosenValues, countCombinations, Inherits, valueCombinations } from "./variants/fields.ts";
