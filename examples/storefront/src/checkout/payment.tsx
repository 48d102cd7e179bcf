import type { Form } from "../parts/form.ts";
import type { PaymentOption } from "./payment-options.ts";

type Props = { form: Form; options: PaymentOption[] };

/** The payment methods, as a choice if there are several. */
export const Payment = ({ form: { values, errors }, options }: Props) => {
  const wanted = options.find(({ method }) => method === values.payment_method) ?? options[0];
  return (
    <fieldset class="panel fields">
      <legend>Payment</legend>
      {options.map((option) => (
        <Option option={option} isWanted={option === wanted} />
      ))}
      {errors.payment_method && <span class="wrong">{errors.payment_method.join(", ")}</span>}
    </fieldset>
  );
};

const Option = ({ option: { method, label, hint }, isWanted }: { option: PaymentOption; isWanted: boolean }) => (
  <label class="option">
    <input type="radio" name="payment_method" value={method} checked={isWanted} required />
    <span>
      {label}
      <span class="quiet">{hint}</span>
    </span>
  </label>
);
