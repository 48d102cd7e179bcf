import { paidForLine, refundableAmount, refundableShipping } from "../../checkout/orders/refunds/extent.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { minorUnitsOf } from "../../domain/currency.ts";
import { currencyFormat, formatMoney } from "../../domain/money.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { Checkbox, Field, Fieldset, Select } from "../kit/fields.tsx";
import { quantityOf } from "./kinds.ts";

/** Units by line or an amount; nothing is preset. The form takes effect once, however often it is clicked. */
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
      text={`Up to ${left} can be refunded to the original payment method. Downloads of refunded units end.`}
      action="Refund now"
      preview="Preview refund"
    >
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Fieldset form={form} name="items" label="Units to refund">
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
            ["", "Refunded with the last units"],
            ["true", "Goes back"],
            ["false", "Not refunded"],
          ]}
        />
      )}
      <Field
        form={form}
        name="amount"
        label="Or enter an amount"
        inputmode="decimal"
        hint={`Refunds money without units, up to ${left}.`}
      />
      <Checkbox form={form} name="restock" label="Return items to stock" />
      <Field
        form={form}
        name="note"
        label="Note"
        hint="Added to the order's history. The customer can read it."
        maxlength={500}
      />
      <p class="refund-sum" aria-live="polite" data-refund={sumOf(order)} hidden />
    </ConfirmButton>
  );
};

/** A line's discount is part of its price, so units of a discounted line are described by the amount paid for all of them. */
function unitsLabel(order: OrderRow, item: OrderRow["items"][number]): string {
  const { name, quantity, refundedQuantity, unitPrice } = item;
  const paid = paidForLine(order, item);
  const price =
    paid === quantity * unitPrice
      ? `at ${formatMoney(unitPrice, order.currency)}`
      : `${formatMoney(paid, order.currency)} for ${quantity}`;
  return `${name}: of ${quantity - refundedQuantity}, ${price}`;
}

/** Data for the amount's preview: the money left, and by field the units and the amount paid for all. */
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
