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

/** Columns of our own CSV by API field, and how their cells are parsed. Covers every field. */
export const columnKinds = {
  products: new Map<string, ColumnKind>([
    ...Object.entries({
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
      currency: "text",
      category: "text",
      category_id: "number",
      category_slug: "text",
      tags: "tags",
      images: "json",
      requires_shipping: "flag",
      weight_grams: "number",
      tax_class: "text",
      manage_stock: "flag",
      stock_quantity: "number",
      in_stock: "flag",
      file_ids: "ids",
      download_limit: "number",
      low_stock_threshold: "number",
      download_days: "number",
      license: "json",
      renews: "text",
      metadata: "json",
      created_at: "text",
      updated_at: "text",
      options: "json",
      parent_sku: "text",
      inherits: "words",
    } as const satisfies Record<keyof typeof productFields, ColumnKind> & Record<string, ColumnKind>),
    ...optionColumns,
  ]),
  customers: new Map<string, ColumnKind>(
    Object.entries({
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
      role: "text",
      disabled: "flag",
      disabled_at: "text",
      created_at: "text",
      updated_at: "text",
      email_verified_at: "text",
      pending_email: "text",
      wallet_balance: "text",
      currency: "text",
      erase_at: "text",
      order_count: "text",
      spent: "text",
    } as const satisfies Record<keyof typeof userFields, ColumnKind> & Record<string, ColumnKind>),
  ),
} as const satisfies Record<ImportResource, ReadonlyMap<string, ColumnKind>>;

/** Other common names of columns. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["stock", "stock_quantity"],
  ["quantity", "stock_quantity"],
  ["qty", "stock_quantity"],
  ["e_mail", "email"],
]);

/** Fields that a merchant may choose for a column. The others are made by the shop, or have columns of their own. */
export const importableFields = (resource: ImportResource): string[] =>
  [...columnKinds[resource].keys()].filter((name) => !MADE.has(name));

const MADE: ReadonlySet<string> = new Set([
  "category_slug",
  "created_at",
  "currency",
  "disabled_at",
  "email_verified_at",
  "erase_at",
  "in_stock",
  "inherits",
  "options",
  "order_count",
  "pending_email",
  "role",
  "spent",
  "updated_at",
  "wallet_balance",
]);

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
