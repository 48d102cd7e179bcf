import { discountFields } from "../../checkout/discounts/fields.ts";
import { hasField } from "../../checkout/discounts/rules.ts";
import type { NamedId } from "../choices.ts";
import { inputsOf, kindsOf } from "../forms/conversion.ts";
import { byId, choosing, type FormInput, type FormState, optionsOf } from "../forms/inputs.ts";
import type { FieldKind, Values } from "../forms/kinds.ts";
import { Columns, Field, Fields, OfKind } from "../kit/fields.tsx";

const declared = inputsOf(discountFields);

/** The discount's form, by API field. */
export const discountInputs = (categories: readonly NamedId[]) =>
  ({
    ...declared,
    category_ids: choosing(declared.category_ids, byId(categories)),
    product_ids: {
      as: "picker",
      label: "Products",
      hint: "Names, SKUs or ids, separated by commas.",
      kinds: ["product"],
      many: true,
    },
  }) satisfies Record<keyof typeof discountFields, FormInput>;

/** Converters of the discount's form. Input in fields of another kind is dropped. */
export const discountFieldKinds = ({ kind: [kind = ""] = [] }: Values): Record<string, FieldKind> =>
  Object.fromEntries(
    Object.entries(kindsOf(discountInputs([]))).map(([name, read]) => [name, hasField(kind, name) ? read : () => null]),
  );

type DiscountForm = FormState<keyof typeof discountFields>;

/** A new discount without products and categories applies to all products, so it has nothing to choose. */
export const DiscountFields = ({ form, isNew = false }: { form: DiscountForm; isNew?: boolean }) => (
  <div class="editor">
    <div>
      <section class="card">
        <Columns form={form} names={["name", "code"]} />
      </section>
      <section class="card">
        <h2>Value</h2>
        <div class="columns">
          <Field form={form} name="kind" />
          <OfKind kinds={["buy_x_get_y"]}>
            <Field form={form} name="buy_quantity" />
          </OfKind>
          <OfKind kinds={["buy_x_get_y"]}>
            <Field form={form} name="get_quantity" />
          </OfKind>
          <OfKind kinds={["percentage", "buy_x_get_y"]}>
            <Field form={form} name="percent" />
          </OfKind>
          <OfKind kinds={["amount"]}>
            <Field form={form} name="amount" />
          </OfKind>
        </div>
        <OfKind kinds={["buy_x_get_y"]}>
          <p class="hint">Leave the percentage empty to give the units for free.</p>
        </OfKind>
      </section>
      <section class="card">
        <h2>Applies to</h2>
        {isNew ? <p class="hint">Leave empty for all products.</p> : <Field form={form} name="applies_to" />}
        {[...optionsOf(form.inputs.category_ids)].length > 0 && <Field form={form} name="category_ids" />}
        <Field form={form} name="product_ids" />
      </section>
    </div>
    <div>
      <section class="card">
        <Fields form={form} names={["starts_at", "ends_at", "enabled"]} />
      </section>
      <section class="card">
        <h2>Conditions</h2>
        <Fields form={form} names={["minimum_subtotal", "max_uses", "max_uses_per_customer", "first_order_only"]} />
      </section>
      <section class="card">
        <h2>With other discounts</h2>
        <Fields form={form} names={["combinable", "priority"]} />
      </section>
    </div>
  </div>
);
