import { isSentByDefault } from "../../catalogue/products/admin.ts";
import {
  MAX_BRAND,
  MAX_DESCRIPTION,
  MAX_PRODUCT_NAME,
  MAX_SEO_DESCRIPTION,
  MAX_SEO_TITLE,
  type productFields,
} from "../../catalogue/products/fields.ts";
import { categoryAt, type ProductRow } from "../../catalogue/products/schemas.ts";
import { LOW_STOCK, type ProductStatus, type ProductType, type TaxClass } from "../../platform/db/schema.ts";
import { type FormChoices, indented, type NamedId, namesOf, withChosen } from "../choices.ts";
import { byId, type FormInput, type FormInputs, kindsOf, orNone, tagsInput } from "../forms/inputs.ts";
import {
  type FieldKind,
  linesOf,
  metadata,
  number,
  numbers,
  optional,
  orNull,
  text,
  type Values,
} from "../forms/kinds.ts";
import { type SentForm, sentForm } from "../forms/read-form.ts";
import { optionInputs, optionsIn } from "./variants/options.ts";

export type ProductChoices = { categories: readonly NamedId[]; files: readonly NamedId[] };

export const productTypeOptions = Object.entries({
  physical: "Physical",
  digital: "Digital",
  service: "Service",
} satisfies Record<ProductType, string>);

const statuses = Object.entries({
  draft: "Draft: not in the shop",
  active: "Active",
} satisfies Record<ProductStatus, string>);

const taxClasses = Object.entries({
  standard: "Standard",
  reduced: "Reduced",
  zero: "Zero rate",
  exempt: "Exempt: no tax at all",
} satisfies Record<TaxClass, string>);

/** The product's form, by API field. */
export const productInputs = ({ categories, files }: ProductChoices) =>
  ({
    name: { as: "text", label: "Name", required: true, maxlength: MAX_PRODUCT_NAME },
    sku: {
      as: "text",
      label: "SKU",
      hint: "Your own item number, such as MUG-BLUE.",
      required: true,
      maxlength: 100,
    },
    type: { as: "choice", label: "Type", options: productTypeOptions, required: true },
    status: { as: "choice", label: "Status", options: statuses, required: true },
    price: { as: "money", label: "Price", required: true },
    compare_at_price: { as: "money", label: "Compare-at price", hint: "Previous price, if the product is on sale." },
    cost: { as: "money", label: "Cost", hint: "What one unit costs you, without tax. Customers never see it." },
    brand: { as: "text", label: "Brand", maxlength: MAX_BRAND },
    barcode: { as: "text", label: "Barcode", hint: "EAN, UPC, ISBN or another GTIN." },
    category_id: {
      as: "choice",
      label: "Category",
      options: orNone("None", byId(categories)),
      read: orNull(number),
    },
    tags: { ...tagsInput, placeholder: "Summer, Sale" },
    slug: {
      as: "text",
      label: "Slug",
      hint: "Used in addresses. Leave empty to create it from the name, or to keep the current one.",
      maxlength: 100,
      read: optional,
    },
    description: {
      as: "lines",
      label: "Description",
      rows: 10,
      markdown: true,
      maxlength: MAX_DESCRIPTION,
      hint: "**bold**, *italic*, - list, ## heading, [link](https://example.com)",
    },
    images: {
      as: "lines",
      label: "Images",
      rows: 3,
      hint: "The first image is shown in lists. One per line: the address, a space, and a description.",
      read: ([typed]) => readImageLines(typed),
    },
    requires_shipping: {
      as: "choice",
      label: "Requires shipping",
      hint: "By default, physical products are shipped; digital products and services are not.",
      options: [
        ["", "Default for the type"],
        ["true", "Yes: the customer enters an address"],
        ["false", "No"],
      ],
    },
    weight_grams: {
      as: "number",
      label: "Weight",
      unit: "g",
      hint: "Weight of one unit including packaging. Used for weight-based shipping rates.",
    },
    tax_class: { as: "choice", label: "Tax class", options: taxClasses, required: true },
    manage_stock: { as: "flag", label: "Manage stock" },
    stock_quantity: {
      as: "number",
      label: "Initial stock",
      hint: "Stock is managed if you enter a number.",
      read: number,
    },
    low_stock_threshold: {
      as: "number",
      label: "Low stock level",
      placeholder: String(LOW_STOCK),
      hint: "Staff are notified at this level or below.",
    },
    file_ids: { as: "choices", label: "Files included with each unit", options: byId(files), read: numbers },
    download_limit: { as: "number", label: "Downloads per unit", hint: "Leave empty for no limit." },
    download_days: { as: "number", label: "Days to download", hint: "Leave empty for unlimited time." },
    metadata: {
      as: "lines",
      label: "Metadata",
      rows: 3,
      hint: "One entry per line, such as colour = red.",
      read: metadata,
    },
    seo_title: {
      as: "text",
      label: "Page title",
      hint: "Leave empty to use the name.",
      maxlength: MAX_SEO_TITLE,
    },
    seo_description: {
      as: "lines",
      label: "Meta description",
      rows: 3,
      hint: "Search engines show about 160 characters. Leave empty to use the beginning of the description.",
      maxlength: MAX_SEO_DESCRIPTION,
      read: ([typed = ""]) => typed.replaceAll(/\s+/g, " ").trim() || null,
    },
    ...optionInputs,
  }) satisfies Record<keyof typeof productFields, FormInput>;

/** Entering a number starts managing stock. */
export const withManagedStock = ({ action, values }: SentForm): SentForm =>
  sentForm(action, values.stock_quantity?.[0]?.trim() ? { ...values, manage_stock: ["true"] } : values);

/** Converters of the product's form. Shipping follows the type unless it is chosen. */
export const productKinds = (values: Values): Record<string, FieldKind> => ({
  ...kindsOf(productInputs({ categories: [], files: [] })),
  requires_shipping: ([chosen]) => (chosen ? chosen === "true" : isSentByDefault(values.type?.[0])),
  options: optionsIn(values),
});

/** The form's shipping choice: empty while it follows the type. */
export const sentOf = ({ type, requiresShipping }: Pick<ProductRow, "type" | "requiresShipping">): string =>
  requiresShipping === isSentByDefault(type) ? "" : String(requiresShipping);

/** One image per line: its address, a space, and its description. */
export const readImageLines = (typed = ""): { url: string; alt: string }[] =>
  linesOf(typed).map((line) => {
    const [url = "", ...alt] = line.split(/\s+/);
    return { url, alt: alt.join(" ") };
  });

export const imageLines = (rows: { url: string; alt: string }[]): string =>
  rows.map(({ url, alt }) => `${url} ${alt}`.trim()).join("\n");

/** A stock adjustment; `held` are the units of unsent orders. */
export const stockInputs = (held: number) =>
  ({
    how: {
      as: "choice",
      label: "What happened",
      options: [
        ["delta", "Goods received or lost"],
        ["quantity", "Stock count"],
      ],
    },
    pieces: {
      as: "number",
      label: "Pieces",
      hint: `Enter -2 to remove two units.${held > 0 ? ` Include the ${held} units of unsent orders in a stock count.` : ""}`,
      required: true,
    },
    reason: { as: "text", label: "Reason", required: true, maxlength: 200 },
  }) satisfies FormInputs;

/** A number and what it counts. */
export const stockKinds = ({ how, pieces = [] }: Values): Record<string, FieldKind> => ({
  [how?.[0] === "quantity" ? "quantity" : "delta"]: () => number(pieces),
  reason: text,
});

/** The choices of a product's form, including those already chosen. */
export function chosenOf({ categoryPath, files }: ProductRow, choices: FormChoices) {
  const category = categoryAt(categoryPath);
  return {
    categories: withChosen(choices.categories, category ? [indented(category)] : []),
    files: withChosen(namesOf(choices.files), files),
  };
}
