import { paidForLine, refundableAmount, refundableShipping } from "../../checkout/orders/refunds/extent.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { minorUnitsOf } from "../../domain/currency.ts";
import { currencyFormat, formatMoney } from "../../domain/money.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { Checkbox, Field, Fieldset, Select } from "../kit/fields.tsx";
import { quantityOf } from "./kinds.ts";

/** Units by line or an amount; nothing is chosen to begin with. The form is sent once, however often it is clicked. */
export const Refund = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const { id, number, currency, updatedAt } = order;
  const open = order.items.filter(({ quantity, refundedQuantity }) => refundedQuantity < quantity);
  const form = formFor(failed, `/admin/orders/${id}/refund`, {}, etagOf(updatedAt));
  const left = formatMoney(refundableAmount(order), currency);
  const shipping = refundableShipping(order);
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
        {open.map((item) => (
          <Field form={form} name={quantityOf(item.id)} label={unitsLabel(order, item)} inputmode="numeric" />
        ))}
      </Fieldset>
      {shipping > 0 && (
        <Select
          form={form}
          name="shipping"
          label={`Shipping, ${formatMoney(shipping, currency)}`}
          options={[
            ["", "Goes back with the last of the units"],
            ["true", "Goes back"],
            ["false", "Stays with the shop"],
          ]}
        />
      )}
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

/** A discount is a part of what a line costs, so units of a reduced line are told by what was paid for all of them. */
function unitsLabel(order: OrderRow, item: OrderRow["items"][number]): string {
  const { name, quantity, refundedQuantity, unitPrice } = item;
  const paid = paidForLine(order, item);
  const price =
    paid === quantity * unitPrice
      ? `at ${formatMoney(unitPrice, order.currency)}`
      : `${formatMoney(paid, order.currency)} for ${quantity}`;
  return `${name}: of ${quantity - refundedQuantity}, ${price}`;
}

/** What the amount follows from while it is chosen: the money that is left, and by field the units and what was paid for all. */
const sumOf = (order: OrderRow): string =>
  JSON.stringify({
    left: refundableAmount(order),
    scale: minorUnitsOf(order.currency),
    format: currencyFormat(order.currency),
    shipping: refundableShipping(order),
    units: Object.fromEntries(
      order.items.map((item) => [
        quantityOf(item.id),
        { open: item.quantity - item.refundedQuantity, quantity: item.quantity, paid: paidForLine(order, item) },
      ]),
    ),
  });
