import type { userFields } from "../../../accounts/users/public.ts";
import type { productFields } from "../../../catalogue/products/public.ts";
import { MAX_OPTIONS } from "../../../domain/option-values.ts";
import type { ImportResource } from "../../../platform/db/schema.ts";

export type ColumnKind = "text" | "number" | "price" | "flag" | "json" | "ids" | "words" | "tags" | "measures";

export const optionColumns = new Map<string, ColumnKind>(
  Array.from({ length: MAX_OPTIONS }, (_, at): [string, ColumnKind][] => [
    [`option_${at + 1}_name`, "text"],
    [`option_${at + 1}_value`, "text"],
  ]).flat(),
);

type ProductColumn = Exclude<keyof typeof productFields, "options"> | "id" | "category" | "parent_sku";
type CustomerColumn = Exclude<keyof typeof userFields, "role"> | "id";

/** Columns that a merchant may choose, by API field, and how their cells are parsed. */
const importable = {
  products: {
    id: "number",
    name: "text",
    slug: "text",
    sku: "text",
    type: "text",
    status: "text",
    description: "text",
    brand: "text",
    barcode: "text",
    external_id: "text",
    condition: "text",
    withdrawal: "text",
    seo_title: "text",
    seo_description: "text",
    price: "price",
    compare_at_price: "price",
    cost: "price",
    unit_pricing: "measures",
    category: "text",
    category_id: "number",
    tags: "tags",
    images: "json",
    requires_shipping: "flag",
    weight_grams: "number",
    tax_class: "text",
    manage_stock: "flag",
    stock_quantity: "number",
    file_ids: "ids",
    download_limit: "number",
    low_stock_threshold: "number",
    download_days: "number",
    license: "json",
    renews: "text",
    metadata: "json",
    parent_sku: "text",
  } satisfies Record<ProductColumn, ColumnKind>,
  customers: {
    id: "number",
    email: "text",
    external_id: "text",
    name: "text",
    phone: "text",
    company: "text",
    accepts_marketing: "flag",
    tax_exempt_reason: "text",
    tags: "tags",
    metadata: "json",
    disabled: "flag",
  } satisfies Record<CustomerColumn, ColumnKind>,
};

const texts = (...names: string[]) => names.map((name): [string, ColumnKind] => [name, "text"]);

/** Columns of our own CSV that merchants cannot choose: the shop makes their values, or other columns hold them. */
const others: Record<ImportResource, [name: string, kind: ColumnKind][]> = {
  products: [
    ...texts("currency", "category_slug", "created_at", "updated_at"),
    ["in_stock", "flag"],
    ["options", "json"],
    ["inherits", "words"],
  ],
  customers: [
    ...texts("role", "disabled_at", "created_at", "updated_at", "email_verified_at", "pending_email"),
    ...texts("wallet_balance", "currency", "erase_at", "order_count", "spent"),
  ],
};

const kindsOf = (resource: ImportResource) => [
  ...Object.entries<ColumnKind>(importable[resource]),
  ...(resource === "products" ? optionColumns : []),
];

/** Columns of our own CSV by API field, and how their cells are parsed. Covers every field. */
export const columnKinds: Record<ImportResource, ReadonlyMap<string, ColumnKind>> = {
  products: new Map([...kindsOf("products"), ...others.products]),
  customers: new Map([...kindsOf("customers"), ...others.customers]),
};

/** Other common names of columns. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["stock", "stock_quantity"],
  ["quantity", "stock_quantity"],
  ["qty", "stock_quantity"],
  ["e_mail", "email"],
]);

/** Fields that a merchant may choose for a column. */
export const importableFields = (resource: ImportResource): string[] => kindsOf(resource).map(([name]) => name);

/** Returns the field for a column name, in any case and with spaces or hyphens for underscores. */
export function fieldOf(resource: ImportResource, name: string): string | undefined {
  const field = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return [field, ALIASES.get(field)].find((each) => each !== undefined && columnKinds[resource].has(each));
}

const kindOf = (resource: ImportResource, name: string) => columnKinds[resource].get(fieldOf(resource, name) ?? "");

export const isPrice = (resource: ImportResource, name: string): boolean => kindOf(resource, name) === "price";

export const isNumeric = (resource: ImportResource, name: string): boolean =>
  isPrice(resource, name) || kindOf(resource, name) === "number";
