import type { Form } from "../parts/form.ts";
import type { PaymentOption } from "./payment-options.ts";

type Props = { form: Form; options: PaymentOption[] };

/** The payment methods, as a choice if there are several. */
export const Payment = ({ form: { values, errors }, options }: Props) => {
  const wanted = options.find(({ method }) => method === values.payment_method) ?? options[0];
  return (
    <fieldset class="panel fields step">
      <legend>Payment</legend>
      {options.length === 0 && <p>The shop takes no payments at the moment. Please contact us to order.</p>}
      {options.map((option) => (
        <Option option={option} isWanted={option === wanted} />
      ))}
      {errors.payment_method && <span class="wrong">{errors.payment_method.join(", ")}</span>}
    </fieldset>
  );
};

const Option = ({ option, isWanted }: { option: PaymentOption; isWanted: boolean }) => (
  <label class="option">
    <input
      type="radio"
      name="payment_method"
      value={option.method}
      checked={isWanted}
      class={option.isLater ? "later" : undefined}
      id={`payment_method-${option.method}`}
      required
    />
    <span>
      {option.label}
      <span class="quiet">{option.hint}</span>
    </span>
  </label>
);
