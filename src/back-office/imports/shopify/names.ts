import { type ColumnNames, madeSku } from "../third-party/columns.ts";

/** Columns of Shopify's product CSV that are used or can be ignored, by their names before and since 2025. */
export const shopifyNames = {
  handle: ["URL handle", "Handle"],
  title: ["Title"],
  body: ["Description", "Body (HTML)"],
  vendor: ["Vendor"],
  category: ["Product category", "Product Category"],
  type: ["Type"],
  tags: ["Tags"],
  published: ["Published on online store", "Published"],
  status: ["Status"],
  option1Name: ["Option1 name"],
  option1: ["Option1 value"],
  option2Name: ["Option2 name"],
  option2: ["Option2 value"],
  option3Name: ["Option3 name"],
  option3: ["Option3 value"],
  sku: ["SKU", "Variant SKU"],
  grams: ["Weight value (grams)", "Variant Grams"],
  weightUnit: ["Weight unit for display", "Variant Weight Unit"],
  fulfillment: ["Fulfillment service", "Variant Fulfillment Service"],
  tracker: ["Inventory tracker", "Variant Inventory Tracker"],
  quantity: ["Inventory quantity", "Variant Inventory Qty"],
  policy: ["Continue selling when out of stock", "Variant Inventory Policy"],
  price: ["Price", "Variant Price"],
  compareAt: ["Compare-at price", "Variant Compare At Price"],
  requiresShipping: ["Requires shipping", "Variant Requires Shipping"],
  taxable: ["Charge tax", "Variant Taxable"],
  image: ["Product image URL", "Image Src"],
  imagePosition: ["Image position"],
  imageAlt: ["Image alt text"],
  variantImage: ["Variant image URL", "Variant Image"],
  barcode: ["Barcode", "Variant Barcode"],
  condition: ["Google Shopping / Condition"],
  cost: ["Cost per item"],
  seoTitle: ["SEO title"],
  seoDescription: ["SEO description"],
  measure: ["Unit price total measure"],
  measureUnit: ["Unit price total measure unit"],
  reference: ["Unit price base measure"],
  referenceUnit: ["Unit price base measure unit"],
  giftCard: ["Gift card"],
} as const satisfies ColumnNames<string>;
export type ShopifyColumn = keyof typeof shopifyNames;

export const shopifyPrices = { price: shopifyNames.price, compareAt: shopifyNames.compareAt, cost: shopifyNames.cost };

/** The columns that hold numbers. */
export const shopifyNumbers = {
  ...shopifyPrices,
  grams: shopifyNames.grams,
  measure: shopifyNames.measure,
  quantity: shopifyNames.quantity,
};

/** The column named in an error of a field. */
export const shopifyFields = {
  sku: "sku",
  name: "title",
  description: "body",
  price: "price",
  compare_at_price: "compareAt",
  brand: "vendor",
  barcode: "barcode",
  condition: "condition",
  cost: "cost",
  seo_title: "seoTitle",
  seo_description: "seoDescription",
  status: "status",
  category: "type",
  tags: "tags",
  weight_grams: "grams",
  unit_pricing: "measure",
  stock_quantity: "quantity",
  images: "image",
  option_values: "option1",
  options: "option1Name",
} as const satisfies Record<string, ShopifyColumn>;

type Variant = { sku: string; handle: string; options: string[] };

const plainSku = ({ sku, handle, options }: Variant): string => sku || madeSku([handle, ...options]);

/**
 * The SKUs shared by several variants of a file. The whole file is read first, so that the order of its rows does not
 * matter.
 */
export class SharedSkus {
  /** The first product with an SKU. */
  readonly #handles = new Map<string, string>();
  readonly #shared = new Set<string>();
  readonly #sharedByProducts = new Set<string>();

  add(variant: Variant): void {
    const sku = plainSku(variant);
    const handle = this.#handles.get(sku);
    if (handle === undefined) this.#handles.set(sku, variant.handle);
    else (handle === variant.handle ? this.#shared : this.#sharedByProducts).add(sku);
  }

  /** Returns the SKU of a product with variants: its handle, unless a variant has it. */
  ofProduct(handle: string): string {
    return this.#handles.has(handle) ? madeSku([handle, "product"]) : madeSku([handle]);
  }

  /** Returns a variant's SKU, with its options if others share it, and with its handle if options are not enough. */
  distinct(variant: Variant): { sku: string; isMade: boolean } {
    const plain = plainSku(variant);
    const isSharedByProducts = this.#sharedByProducts.has(plain);
    if (!isSharedByProducts && !this.#shared.has(plain)) return { sku: plain, isMade: false };
    const withOptions = madeSku([plain, ...variant.options]);
    const isEnough = !isSharedByProducts && !this.#handles.has(withOptions);
    return { sku: isEnough ? withOptions : madeSku([plain, variant.handle, ...variant.options]), isMade: true };
  }
}
