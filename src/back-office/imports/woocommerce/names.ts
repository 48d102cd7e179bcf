import type { ColumnNames } from "../third-party/columns.ts";

/** Columns of WooCommerce's product CSV that are imported, with their English names. */
export const wooNames = {
  id: ["ID"],
  type: ["Type"],
  sku: ["SKU"],
  barcode: ["GTIN, UPC, EAN, or ISBN", "GTIN"],
  name: ["Name"],
  published: ["Published"],
  visibility: ["Visibility in catalog"],
  shortDescription: ["Short description"],
  description: ["Description"],
  saleStarts: ["Date sale price starts"],
  saleEnds: ["Date sale price ends"],
  taxStatus: ["Tax status"],
  taxClass: ["Tax class"],
  inStock: ["In stock?"],
  stock: ["Stock"],
  lowStock: ["Low stock amount"],
  backorders: ["Backorders allowed?"],
  weight: ["Weight (kg)", "Weight (g)", "Weight (lbs)", "Weight (oz)"],
  cost: ["Cost of goods", "Cost of goods sold", "Meta: _wc_cog_cost"],
  salePrice: ["Sale price"],
  regularPrice: ["Regular price"],
  categories: ["Categories"],
  brands: ["Brands"],
  tags: ["Tags"],
  images: ["Images"],
  downloadLimit: ["Download limit"],
  downloadDays: ["Download expiry days", "Download expiry"],
  parent: ["Parent"],
} as const satisfies ColumnNames<string>;
export type WooColumn = keyof typeof wooNames;

export const wooPrices = { salePrice: wooNames.salePrice, regularPrice: wooNames.regularPrice, cost: wooNames.cost };

/** The columns that hold numbers. */
export const wooNumbers = {
  ...wooPrices,
  stock: wooNames.stock,
  lowStock: wooNames.lowStock,
  weight: wooNames.weight,
  downloadLimit: wooNames.downloadLimit,
  downloadDays: wooNames.downloadDays,
};

/** The column named in an error of a field. */
export const wooFields = {
  sku: "sku",
  name: "name",
  description: "description",
  price: "regularPrice",
  compare_at_price: "regularPrice",
  cost: "cost",
  brand: "brands",
  barcode: "barcode",
  category: "categories",
  tags: "tags",
  weight_grams: "weight",
  stock_quantity: "stock",
  low_stock_threshold: "lowStock",
  download_limit: "downloadLimit",
  download_days: "downloadDays",
  images: "images",
  parent_sku: "parent",
} as const satisfies Record<string, WooColumn>;

/** Attributes become options of products with variations. Those of other products are not imported. */
export const ATTRIBUTE = /^attribute \d+ (value\(s\)|name|visible|global|default)$/;
export const ATTRIBUTE_VALUE = /^attribute (\d+) value\(s\)$/;
