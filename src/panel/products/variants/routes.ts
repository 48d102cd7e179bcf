import type { Context } from "hono";
import { ProductUpdate } from "../../../catalogue/products/admin-schemas.ts";
import { changeVariants, VariantsChange } from "../../../catalogue/products/variants/change-many.ts";
import { createVariants, MissingVariants, OneVariant } from "../../../catalogue/products/variants/create.ts";
import { defaultSkuPattern, skuByPattern } from "../../../catalogue/products/variants/fields.ts";
import { changeProduct, requireProduct } from "../../../catalogue/products/write.ts";
import { describeValues } from "../../../domain/option-values.ts";
import { writeContextOf } from "../../../platform/auth/caller.ts";
import { administer } from "../../../platform/auth/gates.ts";
import { redirectWithFlash } from "../../flash.ts";
import { kindsOf } from "../../forms/conversion.ts";
import type { Failed } from "../../forms/inputs.ts";
import { NothingChanged, sentForm } from "../../forms/read-form.ts";
import type { PanelEnv } from "../../page.tsx";
import { rowForms } from "../../record-pages.ts";
import { editPage } from "../edit-page.tsx";
import { withManagedStock } from "../inputs.ts";
import { additionInputs, generateInputs, valuesIn, variantKinds, variantsKinds, withSetValues } from "./inputs.ts";

export const variantPages = rowForms("/products/:id", administer("products:write"), shownAgain, {
  "/variants": async (c, id, { action, values, ifMatch }) => {
    const sent = sentForm(action, withSetValues(values));
    const { variants } = await requireProduct(c.var.db, id);
    const kinds = variantsKinds(
      variants.map((variant) => variant.id),
      sent.values,
    );
    const count = new Set(Object.keys(kinds).map((name) => name.split(".")[1])).size;
    if (!Object.keys(kinds).some((name) => name !== "reason")) throw new NothingChanged();
    await changeVariants(writeContextOf(c), { id, change: sent.read(VariantsChange, kinds), ifMatch });
    const page = Number(values.page?.[0]);
    const saved = count === 1 ? "1 variant was saved." : `${count} variants were saved.`;
    return redirectWithFlash(c, `/admin/products/${id}${page > 1 ? `?page=${page}` : ""}`, saved);
  },
  "/variant": async (c, id, sent) => {
    const before = await requireProduct(c.var.db, id);
    const change = withManagedStock(sent).readChange(ProductUpdate, variantKinds(before, sent.values));
    const product = await changeProduct(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
    return `${describeValues(product.optionValues)} was saved.`;
  },
  "/variants/add": async (c, id, sent) => {
    const { sku, options } = await requireProduct(c.var.db, id);
    const values = valuesIn(
      options.map(({ name }) => name),
      sent.values,
    );
    const read = sent.read(OneVariant, {
      ...kindsOf({ price: additionInputs(options).price, stock_quantity: additionInputs(options).stock_quantity }),
      sku: ([typed]) => typed?.trim() || skuByPattern(defaultSkuPattern(options), { sku, values }),
      option_values: () => values,
    });
    await createVariants(writeContextOf(c), { id, sent: read });
    return `${describeValues(values)} was added.`;
  },
  "/variants/generate": async (c, id, sent) => {
    const read = sent.read(MissingVariants, { generate: () => true, ...kindsOf(generateInputs) });
    const before = await requireProduct(c.var.db, id);
    const { variants } = await createVariants(writeContextOf(c), { id, sent: read });
    const made = variants.length - before.variants.length;
    return made === 1 ? "1 variant was created." : `${made} variants were created.`;
  },
});

/** The product's page, with the values that were set for the selected variants in their cells. */
function shownAgain(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  return editPage(c, id, failed && { ...failed, values: withSetValues(failed.values) });
}
