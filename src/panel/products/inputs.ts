import { categoryResource, findCategoryNamed } from "../../catalogue/categories/categories.ts";
import { isSentByDefault } from "../../catalogue/products/admin.ts";
import { productFields } from "../../catalogue/products/fields.ts";
import { categoryAt, type ProductRow } from "../../catalogue/products/schemas.ts";
import { MAX_CATEGORY_NAME } from "../../domain/category-path.ts";
import { ApiError, badRequest } from "../../domain/errors.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { valid } from "../../platform/http/validate.ts";
import { type FormChoices, indented, type NamedId, namesOf, withChosen } from "../choices.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { byId, choosing, type FormInput, type FormInputs, orNone } from "../forms/inputs.ts";
import { type FieldKind, number, text, type Values } from "../forms/kinds.ts";
import { type SentForm, sentForm } from "../forms/read-form.ts";
import { licenseIn, licenseInputs, licenseValues } from "./license.ts";
import { unitPricingInputs, unitPricingKinds, unitPricingValues } from "./unit-pricing.tsx";
import { optionInputs, optionsIn, optionValues } from "./variants/options.ts";

export type ProductChoices = { categories: readonly NamedId[]; files: readonly NamedId[] };

const declared = inputsOf(productFields);

const newCategoryInputs = {
  new_category: { as: "text", label: "Or a new category", maxlength: MAX_CATEGORY_NAME, read: () => undefined },
} satisfies Record<string, FormInput>;

/** The product's form, by API field. */
export const productInputs = ({ categories, files }: ProductChoices) =>
  ({
    ...declared,
    category_id: choosing(declared.category_id, orNone("None", byId(categories))),
    file_ids: choosing(declared.file_ids, byId(files)),
    stock_quantity: { ...declared.stock_quantity, read: number },
    seo_description: {
      ...declared.seo_description,
      read: ([typed = ""]) => typed.replaceAll(/\s+/g, " ").trim() || null,
    },
    ...newCategoryInputs,
    ...unitPricingInputs,
    ...optionInputs,
    ...licenseInputs,
  }) satisfies Record<keyof typeof productFields, FormInput>;

/** Puts the product into the category that was typed instead of chosen, which is created unless it exists. */
export async function withNewCategory(ctx: WriteContext, { action, values }: SentForm): Promise<SentForm> {
  const { new_category: [typed = ""] = [], ...others } = values;
  const name = typed.trim();
  if (name === "") return sentForm(action, values);
  const { id } = (await findCategoryNamed(ctx.db, name)) ?? (await createCategory(ctx, name));
  return sentForm(action, { ...others, new_category: [""], category_id: [String(id)] });
}

/** Creates a category at the top. A name that is refused is an error of the product's input. */
async function createCategory(ctx: WriteContext, name: string) {
  try {
    return await categoryResource.create(ctx, valid(categoryResource.schemas.new, { name }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badRequest(error.fields.map((each) => ({ ...each, field: "new_category" })));
  }
}

/** Manages the stock of a new product if a number is entered, or if its license keys will be uploaded. */
export function withManagedStock({ action, values }: SentForm): SentForm {
  const { stock_quantity: [typed] = [], "license.source": [source] = [] } = values;
  const stock = typed?.trim() || (typed !== undefined && source === "uploaded" ? "0" : "");
  return sentForm(action, stock ? { ...values, stock_quantity: [stock], manage_stock: ["true"] } : values);
}

/** Converters of the product's form. Shipping follows the type unless it is chosen. */
export const productKinds = (values: Values): Record<string, FieldKind> => ({
  ...kindsOf(productInputs({ categories: [], files: [] })),
  requires_shipping: ([chosen]) => (chosen ? chosen === "true" : isSentByDefault(values.type?.[0])),
  ...unitPricingKinds(values),
  options: optionsIn(values),
  license: licenseIn(values),
});

/** Values of the form for a product. The shipping choice is empty while it follows the type, and stock is adjusted. */
export const productValues = ({ ownStatus, files, ...product }: ProductRow) => {
  const { type, requiresShipping } = product;
  return {
    ...valuesOf(productFields, {
      ...product,
      status: ownStatus ?? product.status,
      fileIds: files.map(({ id }) => id),
      stockQuantity: null,
    }),
    ...unitPricingValues(product),
    requires_shipping: requiresShipping === isSentByDefault(type) ? "" : String(requiresShipping),
    ...licenseValues(product.license),
  };
};

/** Values of the form for a product like another, which needs a SKU, a barcode and a web address of its own. */
export const copiedValues = (product: ProductRow) => ({
  ...productValues(product),
  ...optionValues(product.options),
  name: `Copy of ${product.name}`,
  status: "draft",
  sku: null,
  barcode: null,
  external_id: null,
  slug: null,
});

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
