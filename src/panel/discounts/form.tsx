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
  buy_x_get_y: "Buy some, get some",
} satisfies Record<DiscountRow["kind"], string>;

export const covered: Picker[] = [{ name: "product_ids", kinds: ["product"], many: true }];

type Props = { form: FormState; categories: readonly Choice[] };

export const DiscountFields = ({ form, categories }: Props) => (
  <>
    <div class="columns">
      <Field form={form} name="name" label="Name" hint="Buyers read it." required maxlength={100} />
      <Field
        form={form}
        name="code"
        label="Code"
        hint="What buyers type, in any case. Left empty, it applies by itself."
        maxlength={40}
      />
    </div>
    <Reduction form={form} />
    <Fieldset form={form} name="covers" label="What it covers" hint="Everything, if nothing is chosen.">
      {categories.length > 0 && (
        <Fieldset form={form} name="category_ids" label="Categories">
          <div class="choices">
            {categories.map(({ id, name }) => (
              <Checkbox form={form} name="category_ids" value={String(id)} label={name} />
            ))}
          </div>
        </Fieldset>
      )}
      <PickerField form={form} name="product_ids" label="Products" hint="By name, SKU or id; several with commas." />
    </Fieldset>
    <Conditions form={form} />
    <Checkbox
      form={form}
      name="combinable"
      label="Combine with other discounts"
      hint="One that is not is compared with all others together: the buyer gets what takes most off."
    />
    <Checkbox form={form} name="enabled" label="Enabled" />
  </>
);

/** What depends on the kind. The style sheet shows what belongs to the chosen one. */
const OfKind = ({ kinds, children }: { kinds: DiscountRow["kind"][]; children: Child }) => (
  <div class={`of-kind ${kinds.join(" ")}`}>{children}</div>
);

const Reduction = ({ form }: { form: FormState }) => (
  <Fieldset form={form} name="effect" label="What it takes off">
    <div class="columns">
      <Select form={form} name="kind" label="Kind" options={Object.entries(kindLabels)} required />
      <OfKind kinds={["buy_x_get_y"]}>
        <Field form={form} name="buy_quantity" label="Units to buy" inputmode="numeric" hint="At the full price." />
      </OfKind>
      <OfKind kinds={["buy_x_get_y"]}>
        <Field
          form={form}
          name="get_quantity"
          label="Units to get"
          inputmode="numeric"
          hint="The cheapest of all that it covers."
        />
      </OfKind>
      <OfKind kinds={["percentage", "buy_x_get_y"]}>
        <Field
          form={form}
          name="percent"
          label="Percent off"
          inputmode="decimal"
          hint={<span class="of-kind buy_x_get_y">Of the units to get. Empty is 100: they are free.</span>}
        />
      </OfKind>
      <OfKind kinds={["amount"]}>
        <Field form={form} name="amount" label="Amount" inputmode="decimal" hint="Off all that it covers together." />
      </OfKind>
    </div>
  </Fieldset>
);

const Conditions = ({ form }: { form: FormState }) => (
  <Fieldset form={form} name="conditions" label="When it applies">
    <div class="columns">
      <Field
        form={form}
        name="minimum_subtotal"
        label="From a subtotal of"
        inputmode="decimal"
        hint="Before discounts. Leave empty for no minimum."
      />
      <Field
        form={form}
        name="priority"
        label="Priority"
        inputmode="numeric"
        hint="Lower ones apply first, each to what is left."
      />
      <Field form={form} name="starts_at" label="Starts (UTC)" type="datetime-local" hint="Empty is at once." />
      <Field form={form} name="ends_at" label="Ends (UTC)" type="datetime-local" hint="Empty is never." />
      <Field form={form} name="max_uses" label="Uses" inputmode="numeric" hint="Orders. Empty is without limit." />
      <Field
        form={form}
        name="max_uses_per_customer"
        label="Uses of one customer"
        inputmode="numeric"
        hint="An account, or a guest's e-mail address."
      />
    </div>
    <Checkbox form={form} name="first_order_only" label="Only for a customer's first order" />
  </Fieldset>
);
