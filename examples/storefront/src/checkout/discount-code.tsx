import type { Schema } from "storefront/client";
import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { codesIn } from "./order-form.ts";

/** The input for discount codes, with the codes that were applied. */
export const DiscountCode = ({ form, quote }: { form: Form; quote: Schema["Quote"] }) => {
  const applied = codesIn(form.values).filter((code) => quote.discounts.some((discount) => discount.code === code));
  return (
    <div class="code">
      <Field
        form={form}
        name="discount_codes"
        label="Discount code"
        autocomplete="off"
        required={false}
        {...(applied.length > 0 && { hint: `${applied.join(" and ")} applied` })}
      />
      <button class="soft" type="submit" name="update" value="yes" formaction="/checkout#order">
        Apply
      </button>
    </div>
  );
};
