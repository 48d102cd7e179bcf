import { LOW_STOCK, type ProductStatus, type TaxClass } from "../../platform/db/schema.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Field, Fieldset, Select, Textarea } from "../kit/fields.tsx";
import { Images } from "./images.tsx";
import { types } from "./list-page.tsx";

type Choice = { id: number; name: string };

export type ProductChoices = { categories: Choice[]; files: Choice[] };

/** A product's fields. `managed`: its stock is already managed, so it changes by adjustments instead. */
export const ProductFormFields = ({
  form,
  choices,
  managed,
}: {
  form: FormState;
  choices: ProductChoices;
  managed: boolean;
}) => (
  <>
    <div class="columns">
      <Field form={form} name="name" label="Name" required maxlength={200} />
      <Field form={form} name="sku" label="SKU" required maxlength={100} />
      <Select form={form} name="type" label="Type" options={types} required />
      <Select
        form={form}
        name="status"
        label="Status"
        options={Object.entries({
          draft: "Draft: not in the shop",
          active: "Active",
        } satisfies Record<ProductStatus, string>)}
        required
      />
      <Field form={form} name="price" label="Price" inputmode="decimal" required />
      <Field
        form={form}
        name="compare_at_price"
        label="Compare-at price"
        inputmode="decimal"
        hint="Previous price, if the product is on sale."
      />
      <Select
        form={form}
        name="category_id"
        label="Category"
        options={[["", "None"], ...choices.categories.map(({ id, name }) => [String(id), name] as const)]}
      />
      <Field
        form={form}
        name="slug"
        label="Slug"
        hint="Used in addresses. Leave empty to create it from the name, or to keep the current one."
        maxlength={100}
      />
    </div>
    <Textarea form={form} name="description" label="Description" rows={6} />
    <Images form={form} />
    <Fieldset form={form} name="stock" label="Delivery, tax and stock">
      <Select
        form={form}
        name="requires_shipping"
        label="Requires shipping"
        hint="By default, physical products are shipped; digital products and services are not."
        options={[
          ["", "Default for the type"],
          ["true", "Yes: the customer enters an address"],
          ["false", "No"],
        ]}
      />
      <Field
        form={form}
        name="weight_grams"
        label="Weight in grams"
        inputmode="numeric"
        hint="Weight of one unit including packaging. Used for weight-based shipping rates."
      />
      <Select
        form={form}
        name="tax_class"
        label="Tax class"
        options={Object.entries({
          standard: "Standard",
          reduced: "Reduced",
          zero: "Zero rate",
          exempt: "Exempt: no tax at all",
        } satisfies Record<TaxClass, string>)}
        required
      />
      <Checkbox form={form} name="manage_stock" label="Manage stock" />
      {!managed && (
        <Field
          form={form}
          name="stock_quantity"
          label="Initial stock"
          inputmode="numeric"
          hint="If stock is managed."
        />
      )}
      <Field
        form={form}
        name="low_stock_threshold"
        label="Low stock"
        inputmode="numeric"
        hint={`Notify staff at this stock level or below. Default: ${LOW_STOCK}.`}
      />
    </Fieldset>
    <Downloads form={form} files={choices.files} />
    <Textarea form={form} name="metadata" label="Metadata" rows={3} hint="One entry per line, such as colour = red." />
  </>
);

const Downloads = ({ form, files }: { form: FormState; files: ProductChoices["files"] }) => (
  <Fieldset form={form} name="file_ids" label="Files included with each unit">
    {files.length === 0 ? (
      <p class="muted">
        There are no files yet: <a href="/admin/files">upload one</a> first.
      </p>
    ) : (
      <div class="choices">
        {files.map(({ id, name }) => (
          <Checkbox form={form} name="file_ids" value={String(id)} label={name} />
        ))}
      </div>
    )}
    <div class="columns">
      <Field
        form={form}
        name="download_limit"
        label="Downloads per unit"
        inputmode="numeric"
        hint="Leave empty for no limit."
      />
      <Field
        form={form}
        name="download_days"
        label="Days to download"
        inputmode="numeric"
        hint="Leave empty for unlimited time."
      />
    </div>
  </Fieldset>
);
