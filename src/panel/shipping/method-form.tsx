import type { MethodRow, methodFields } from "../../checkout/shipping/methods/fields.ts";
import { formatAmount } from "../../domain/money.ts";
import type { WeightBracket } from "../../platform/db/schema.ts";
import { type FieldKind, flag, number, orNull, text } from "../forms/kinds.ts";
import { linesOf } from "../forms/lines.ts";
import { money } from "../forms/money.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Field, Select, Textarea } from "../kit/fields.tsx";

/** One bracket a line: "2000 = 4.90". */
const brackets: FieldKind = ([typed]) =>
  linesOf(typed).map((line) => {
    const [grams = "", price = ""] = line.split("=");
    return { up_to_grams: number([grams]), price: money("brackets")([price]) };
  });

const bracketLines = (rows: WeightBracket[]): string =>
  rows.map(({ upToGrams, price }) => `${upToGrams} = ${formatAmount(price)}`).join("\n");

/** The method's form, by the API's fields; its zone is in the address. */
export const methodKinds: Record<Exclude<keyof typeof methodFields, "zone_id">, FieldKind> = {
  name: text,
  kind: text,
  price: money("price"),
  brackets,
  free_from: orNull(money("free_from")),
  min_days: orNull(number),
  max_days: orNull(number),
  enabled: flag,
};

export const methodValues = (method: MethodRow) => ({
  name: method.name,
  kind: method.kind,
  price: method.kind === "weight" ? null : formatAmount(method.price),
  brackets: bracketLines(method.brackets),
  free_from: method.freeFrom === null ? null : formatAmount(method.freeFrom),
  min_days: method.minDays,
  max_days: method.maxDays,
  enabled: method.enabled,
});

export const kindLabels = {
  flat_rate: "Flat rate",
  weight: "By weight",
  pickup: "Picked up",
} satisfies Record<MethodRow["kind"], string>;

export const MethodFields = ({ form }: { form: FormState }) => (
  <>
    <div class="columns">
      <Field form={form} name="name" label="Name" hint="As buyers choose it: Parcel." required maxlength={100} />
      <Select form={form} name="kind" label="Kind" options={Object.entries(kindLabels)} required />
      <Field
        form={form}
        name="price"
        label="Price"
        inputmode="decimal"
        hint="Of a flat rate, and of picking up. A price by weight is typed below."
      />
      <Field
        form={form}
        name="free_from"
        label="Free from"
        inputmode="decimal"
        hint="What the goods come to, after discounts, from which it costs nothing."
      />
      <Field form={form} name="min_days" label="Days at least" inputmode="numeric" />
      <Field form={form} name="max_days" label="Days at most" inputmode="numeric" />
    </div>
    <Textarea
      form={form}
      name="brackets"
      label="Prices by weight"
      hint="One a line, ascending: up to so many grams = the price. 2000 = 4.90. What is heavier than the last is not sent this way."
      rows={3}
    />
    <Checkbox form={form} name="enabled" label="Offered to buyers" />
  </>
);
