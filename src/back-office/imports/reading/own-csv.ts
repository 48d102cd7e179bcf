import type { userFields } from "../../../accounts/users/public.ts";
import type { productFields } from "../../../catalogue/products/public.ts";
import { unneutralized } from "../../../domain/csv-cell.ts";

/** No field is forgotten here. */
type Imported = keyof typeof productFields | keyof typeof userFields;

type Kind = "text" | "number" | "flag" | "json" | "ids";

/** The columns of our own CSV, by the fields of the API, and how their cells are read. */
const kinds = new Map<string, Kind>(
  Object.entries({
    id: "number",
    name: "text",
    slug: "text",
    sku: "text",
    type: "text",
    status: "text",
    description: "text",
    price: "number",
    compare_at_price: "number",
    currency: "text",
    category: "text",
    category_id: "number",
    category_slug: "text",
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
    metadata: "json",
    created_at: "text",
    updated_at: "text",
    email: "text",
    phone: "text",
    company: "text",
    accepts_marketing: "flag",
    tax_exempt_reason: "text",
    role: "text",
    disabled: "flag",
  } as const satisfies Record<Imported, Kind> & Record<string, Kind>),
);

/** Fields that have a value of their own where a cell is empty; of the others null clears it, or they are left out. */
const empty = new Map<string, unknown>([
  ["description", ""],
  ["images", []],
  ["file_ids", []],
  ["metadata", {}],
]);
const clearable = new Set([
  "compare_at_price",
  "category_id",
  "weight_grams",
  "stock_quantity",
  "download_limit",
  "download_days",
  "low_stock_threshold",
  "phone",
  "company",
  "tax_exempt_reason",
]);

/** The fields of a row by the names in the first one. A column without a known name is a field as well, which is refused later. */
export function fieldsOfCells(header: string[], cells: string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [at, name] of header.entries()) {
    const cell = cells[at] ?? "";
    const value = cell === "" ? valueOfNothing(name) : readCell(kinds.get(name) ?? "text", unneutralized(cell));
    if (value !== undefined && name !== "") fields[name] = value;
  }
  return fields;
}

const valueOfNothing = (name: string): unknown => empty.get(name) ?? (clearable.has(name) ? null : undefined);

/** What is not of its kind stays text, for the check to refuse. */
function readCell(kind: Kind, cell: string): unknown {
  const text = cell.trim();
  switch (kind) {
    case "number":
      return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : cell;
    case "flag":
      return /^(true|yes|1)$/i.test(text) ? true : /^(false|no|0)$/i.test(text) ? false : cell;
    case "json":
      return URL.canParse(text) ? [{ url: text }] : parsedOr(cell);
    case "ids":
      return text.split(/[\s,;]+/).map(Number);
    case "text":
      return cell;
  }
}

function parsedOr(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
