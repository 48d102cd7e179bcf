import type { Child } from "hono/jsx";
import type { DiscountRow } from "../../checkout/discounts/fields.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Field, Fieldset, Select } from "../kit/fields.tsx";
import { PickerField } from "../kit/picker.tsx";
import type { Picker } from "../pickers/picker.ts";

export type Choice = { id: number; name: string };

export const kindLabels = {
  percentage: "Percentage off",
  amount: "Amount off",
  free_shipping: "Free shipping",
  buy_x_get_y: "Buy X, get Y",
} satisfies Record<DiscountRow["kind"], string>;

export const covered: Picker[] = [{ name: "product_ids", kinds: ["product"], many: true }];

type Props = { form: FormState; categories: readonly Choice[] };

export const DiscountFields = ({ form, categories }: Props) => (
  <>
    <div class="columns">
      <Field form={form} name="name" label="Name" hint="Shown to customers." required maxlength={100} />
      <Field
        form={form}
        name="code"
        label="Code"
        hint="The code customers enter; case does not matter. Leave empty to apply the discount automatically."
        maxlength={40}
      />
    </div>
    <Reduction form={form} />
    <Fieldset form={form} name="covers" label="Applies to" hint="Leave empty for all products.">
      {categories.length > 0 && (
        <Fieldset form={form} name="category_ids" label="Categories">
          <div class="choices">
            {categories.map(({ id, name }) => (
              <Checkbox form={form} name="category_ids" value={String(id)} label={name} />
            ))}
          </div>
        </Fieldset>
      )}
      <PickerField form={form} name="product_ids" label="Products" hint="Names, SKUs or ids, separated by commas." />
    </Fieldset>
    <Conditions form={form} />
    <Checkbox
      form={form}
      name="combinable"
      label="Combine with other discounts"
      hint="If off, the customer gets either this discount or all others together, whichever saves more."
    />
    <Checkbox form={form} name="enabled" label="Enabled" />
  </>
);

/** Fields of some kinds. The style sheet shows those of the chosen kind. */
const OfKind = ({ kinds, children }: { kinds: DiscountRow["kind"][]; children: Child }) => (
  <div class={`of-kind ${kinds.join(" ")}`}>{children}</div>
);

const Reduction = ({ form }: { form: FormState }) => (
  <Fieldset form={form} name="effect" label="Value">
    <div class="columns">
      <Select form={form} name="kind" label="Kind" options={Object.entries(kindLabels)} required />
      <OfKind kinds={["buy_x_get_y"]}>
        <Field
          form={form}
          name="buy_quantity"
          label="Units to buy"
          inputmode="numeric"
          hint="Units paid at full price."
        />
      </OfKind>
      <OfKind kinds={["buy_x_get_y"]}>
        <Field
          form={form}
          name="get_quantity"
          label="Units to get"
          inputmode="numeric"
          hint="The cheapest eligible units."
        />
      </OfKind>
      <OfKind kinds={["percentage", "buy_x_get_y"]}>
        <Field
          form={form}
          name="percent"
          label="Percent off"
          inputmode="decimal"
          hint={<span class="of-kind buy_x_get_y">Discount on the units to get. Leave empty for 100 (free).</span>}
        />
      </OfKind>
      <OfKind kinds={["amount"]}>
        <Field
          form={form}
          name="amount"
          label="Amount"
          inputmode="decimal"
          hint="Taken off all eligible items together."
        />
      </OfKind>
    </div>
  </Fieldset>
);

const Conditions = ({ form }: { form: FormState }) => (
  <Fieldset form={form} name="conditions" label="Conditions">
    <div class="columns">
      <Field
        form={form}
        name="minimum_subtotal"
        label="Minimum subtotal"
        inputmode="decimal"
        hint="Before discounts. Leave empty for no minimum."
      />
      <Field
        form={form}
        name="priority"
        label="Priority"
        inputmode="numeric"
        hint="Discounts with a lower number apply first, each to the remaining amount."
      />
      <Field form={form} name="starts_at" label="Starts (UTC)" type="datetime-local" hint="Leave empty to start now." />
      <Field form={form} name="ends_at" label="Ends (UTC)" type="datetime-local" hint="Leave empty for no end." />
      <Field
        form={form}
        name="max_uses"
        label="Uses"
        inputmode="numeric"
        hint="Maximum number of orders. Leave empty for no limit."
      />
      <Field
        form={form}
        name="max_uses_per_customer"
        label="Uses per customer"
        inputmode="numeric"
        hint="Counted per account or guest e-mail address."
      />
    </div>
    <Checkbox form={form} name="first_order_only" label="Only for a customer's first order" />
  </Fieldset>
);
