import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { codesIn } from "./problems.ts";

/** The input for a discount code, and the applied codes. */
export const DiscountCode = ({ form }: { form: Form }) => (
  <div class="codes">
    <div class="with-button">
      <Field
        form={form}
        name="discount_code"
        label="Discount code"
        autocomplete="off"
        autocapitalize="characters"
        maxlength={440}
        required={false}
      />
      <button class="soft" type="submit" name="update" value="code">
        Apply
      </button>
    </div>
    <input type="hidden" name="discount_codes" value={form.values.discount_codes ?? ""} />
    {codesIn(form.values.discount_codes).map((code) => (
      <span class="applied">
        {code}
        <button class="plain" type="submit" name="remove_code" value={code} aria-label={`Remove the code ${code}`}>
          Remove
        </button>
      </span>
    ))}
  </div>
);
