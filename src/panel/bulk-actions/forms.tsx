import type { Choices } from "../choices-queries.ts";
import type { FormState } from "../forms/state.ts";
import { Field, Select } from "../kit/fields.tsx";

// What can be done to the rows that are selected in a list. A field shows while its action is chosen: see panel.css.

export const ProductFields = ({ form, categories }: { form: FormState; categories: Choices["categories"] }) => (
  <>
    <Select
      form={form}
      name="action"
      label="Action"
      options={[
        ["activate", "Set active"],
        ["draft", "Set draft"],
        ["category", "Move to a category"],
        ["price", "Change the price"],
        ["add", "Add to the stock"],
        ["count", "Set the stock"],
      ]}
    />
    <div class="of-category">
      <Select
        form={form}
        name="change.category_id"
        label="Category"
        options={[["", "None"], ...categories.map(({ id, name }) => [String(id), name] as const)]}
      />
    </div>
    <div class="of-price">
      <Field form={form} name="change.price_percent" label="By percent" inputmode="decimal" placeholder="-10" />
    </div>
    <div class="of-price">
      <Select
        form={form}
        name="change.compare_at_price"
        label="Compare-at price"
        options={[
          ["", "Leave unchanged"],
          ["previous", "Set to the current price"],
          ["none", "Remove it"],
        ]}
      />
    </div>
    <div class="of-add of-count">
      <Field form={form} name="pieces" label="Pieces" inputmode="numeric" />
    </div>
    <div class="of-add of-count">
      <Field form={form} name="stock.reason" label="Reason" maxlength={200} />
    </div>
  </>
);

export const OrderFields = ({ form }: { form: FormState }) => (
  <>
    <Select
      form={form}
      name="action"
      label="Action"
      options={[
        ["ship", "Mark as shipped"],
        ["paid", "Mark as paid"],
        ["slips", "Print packing slips (up to 100)"],
      ]}
    />
    <div class="of-ship">
      <Field form={form} name="carrier" label="Carrier" maxlength={100} />
    </div>
  </>
);
