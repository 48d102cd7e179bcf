import type { PropsWithChildren } from "hono/jsx";
import type { FormState } from "../forms/inputs.ts";
import { Columns, Field, Folded } from "../kit/fields.tsx";
import { addressFieldsOf } from "./inputs.ts";

// Sections that the forms of new orders and of edits share.

const ADDRESS = addressFieldsOf("shipping_address");
const METHOD = ["shipping_method", "custom_shipping.name", "custom_shipping.price"] as const;
const DISCOUNT = ["discount.percent", "discount.amount", "discount.reason"] as const;
const CODES_AND_TAX = ["discount_codes", "tax_exempt_reason"] as const;

type ShippingField = (typeof ADDRESS)[number] | (typeof METHOD)[number];
type DiscountField = (typeof DISCOUNT | typeof CODES_AND_TAX)[number];

/** The shipping address and method. Children are shown above the address. */
export const ShippingSection = ({ form, children }: PropsWithChildren<{ form: FormState<ShippingField> }>) => (
  <section class="card">
    <h2>Shipping</h2>
    {children}
    <Columns form={form} names={ADDRESS} />
    <div class="thirds">
      {METHOD.map((name) => (
        <Field form={form} name={name} />
      ))}
    </div>
  </section>
);

/** The discount by staff, discount codes and tax exemption. Open if one of them is filled in. */
export const DiscountSection = ({ form }: { form: FormState<DiscountField> }) => {
  const names = [...DISCOUNT, ...CODES_AND_TAX];
  return (
    <Folded
      form={form}
      title="Discount and tax"
      names={names}
      isOpen={names.some((name) => form.values[name]?.some(Boolean))}
    >
      <div class="thirds">
        {DISCOUNT.map((name) => (
          <Field form={form} name={name} />
        ))}
      </div>
      <Columns form={form} names={[...CODES_AND_TAX]} />
    </Folded>
  );
};
