import type { Child } from "hono/jsx";
import { type DiscountRow, discountFields } from "../../checkout/discounts/fields.ts";
import { hasField } from "../../checkout/discounts/rules.ts";
import type { NamedId } from "../choices.ts";
import { inputsOf, kindsOf } from "../forms/conversion.ts";
import { byId, choosing, type FormInput, type FormState, optionsOf } from "../forms/inputs.ts";
import type { FieldKind, Values } from "../forms/kinds.ts";
import { Columns, Field, Fields, Fieldset } from "../kit/fields.tsx";

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
      <Columns form={form} names={["name", "code"]} />
      <Fieldset legend="Value">
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
      </Fieldset>
      <Fieldset legend="Applies to" {...(isNew && { hint: "Leave empty for all products." })}>
        {!isNew && <Field form={form} name="applies_to" />}
        {[...optionsOf(form.inputs.category_ids)].length > 0 && <Field form={form} name="category_ids" />}
        <Field form={form} name="product_ids" />
      </Fieldset>
    </div>
    <div>
      <Fields form={form} names={["starts_at", "ends_at", "enabled"]} />
      <Fieldset legend="Conditions">
        <Fields form={form} names={["minimum_subtotal", "max_uses", "max_uses_per_customer", "first_order_only"]} />
      </Fieldset>
      <Fieldset legend="With other discounts">
        <Fields form={form} names={["combinable", "priority"]} />
      </Fieldset>
    </div>
  </div>
);

/** Fields of some kinds. The style sheet shows those of the chosen kind. */
const OfKind = ({ kinds, children }: { kinds: DiscountRow["kind"][]; children: Child }) => (
  <div class={`of-kind ${kinds.join(" ")}`}>{children}</div>
);
