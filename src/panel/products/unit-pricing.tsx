import type { ProductRow } from "../../catalogue/products/schemas.ts";
import { toMeasures, unitSymbols } from "../../domain/unit-pricing.ts";
import { type FormInputs, type FormState, orNone } from "../forms/inputs.ts";
import type { FieldKind, Values } from "../forms/kinds.ts";
import { Columns } from "../kit/fields.tsx";

const units = orNone("Choose one", unitSymbols);

export const unitPricingInputs = {
  unit_pricing: { as: "group", label: "Unit price" },
  "unit_pricing.measure.value": { as: "decimal", label: "Content" },
  "unit_pricing.measure.unit": { as: "choice", label: "Unit of content", options: units },
  "unit_pricing.reference.value": { as: "number", label: "Price per" },
  "unit_pricing.reference.unit": { as: "choice", label: "Unit of price", options: units },
} satisfies FormInputs;
type UnitPricingField = keyof typeof unitPricingInputs;

/** Initial values of the inputs. */
export function unitPricingValues({ unitPricing }: Pick<ProductRow, "unitPricing">) {
  const { measure, reference } = unitPricing ? toMeasures(unitPricing) : {};
  return {
    "unit_pricing.measure.value": measure?.value ?? null,
    "unit_pricing.measure.unit": measure?.unit ?? null,
    "unit_pricing.reference.value": reference?.value ?? null,
    "unit_pricing.reference.unit": reference?.unit ?? null,
  };
}

const nothing: FieldKind = () => undefined;

/** Converters that remove the unit price if the content is empty. */
export const unitPricingKinds = (values: Values): Partial<Record<UnitPricingField, FieldKind>> =>
  values["unit_pricing.measure.value"]?.[0]?.trim()
    ? {}
    : {
        unit_pricing: () => null,
        "unit_pricing.measure.value": nothing,
        "unit_pricing.measure.unit": nothing,
        "unit_pricing.reference.value": nothing,
        "unit_pricing.reference.unit": nothing,
      };

export const UnitPricingFields = ({ form }: { form: FormState<UnitPricingField> }) => (
  <>
    <p class="muted">
      Shops in the European Union show the price per kg, litre, metre, m² or m³ of goods that are sold by measure. Leave
      the content empty for others.
    </p>
    <Columns form={form} names={["unit_pricing.measure.value", "unit_pricing.measure.unit"]} />
    <Columns form={form} names={["unit_pricing.reference.value", "unit_pricing.reference.unit"]} />
  </>
);
