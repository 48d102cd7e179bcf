import { formatMoney } from "../../domain/money.ts";
import { etagOf } from "../../http/version.ts";
import { refundableAmount } from "../../orders/refund.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { Checkbox, Field, Fieldset } from "../kit/fields.tsx";
import { quantityOf } from "./kinds.ts";

/** Units by line or an amount; nothing is chosen to begin with. The form is sent once, however often it is clicked. */
export const Refund = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const { id, number, currency, updatedAt } = order;
  const open = order.items.filter(({ quantity, refundedQuantity }) => refundedQuantity < quantity);
  const form = formFor(failed, `/admin/orders/${id}/refund`, {}, etagOf(updatedAt));
  const left = formatMoney(refundableAmount(order), currency);
  return (
    <ConfirmButton
      form={form}
      label="Refund"
      title={`Refund order ${number}`}
      text={`${left} can go back, the way it came. The downloads of units that are refunded end.`}
      action="Refund now"
      preview="Show the amount"
    >
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Fieldset form={form} name="items" label="Units that go back">
        {open.map(({ id, name, quantity, refundedQuantity, unitPrice }) => (
          <Field
            form={form}
            name={quantityOf(id)}
            label={`${name}: of ${quantity - refundedQuantity}, at ${formatMoney(unitPrice, currency)}`}
            inputmode="numeric"
          />
        ))}
      </Fieldset>
      <Field
        form={form}
        name="amount"
        label="Or an amount"
        inputmode="decimal"
        hint={`Without units: up to ${left}.`}
      />
      <Checkbox form={form} name="restock" label="The goods come back to the stock" />
      <Field
        form={form}
        name="note"
        label="Note"
        hint="For the order's history: the buyer reads it too."
        maxlength={500}
      />
      <p class="refund-sum" aria-live="polite" data-refund={sumOf(order)} hidden />
    </ConfirmButton>
  );
};

/** What the amount follows from while it is chosen: the money that is left and, by field, the units that are and their price. */
const sumOf = (order: OrderRow): string =>
  JSON.stringify({
    left: refundableAmount(order),
    currency: order.currency,
    units: Object.fromEntries(
      order.items.map(({ id, quantity, refundedQuantity, unitPrice }) => [
        quantityOf(id),
        { open: quantity - refundedQuantity, price: unitPrice },
      ]),
    ),
  });
