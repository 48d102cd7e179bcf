import type { Context } from "hono";
import { paidForLine, refundableAmount, refundableShipping } from "../../checkout/orders/refunds/extent.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { formatMoney } from "../../domain/money.ts";
import { nameWithValues } from "../../domain/option-values.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import type { SentForm } from "../forms/read-form.ts";
import { Field, Fields } from "../kit/fields.tsx";
import { ConfirmButton } from "../kit/form.tsx";
import { asksForJson, type PanelEnv } from "../page.tsx";
import { UnitsFields } from "./form-sections.tsx";
import { moveInputs, type UnitsField, unitsInputs } from "./inputs.ts";

/** Units by line or an amount, with nothing preset. The form takes effect once, however often it is clicked. */
export const Refund = ({ order, failed }: { order: OrderRow; failed: Failed | null }) => {
  const { id, number, currency, updatedAt } = order;
  const left = formatMoney(refundableAmount(order), currency);
  const form = formFor(failed, `/admin/orders/${id}/refund`, { inputs: refundInputs(order), etag: etagOf(updatedAt) });
  return (
    <ConfirmButton
      form={form}
      label="Refund"
      title={`Refund order ${number}`}
      text={`Up to ${left} can be refunded to the original payment method. Downloads of refunded units end.`}
      action={form.values.sum ? `Refund ${form.values.sum[0]}` : "Refund now"}
      preview="Preview refund"
      movesMoney
    >
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <UnitsFields form={form} ids={openLines(order).map((item) => item.id)} />
      {refundableShipping(order) > 0 && <Field form={form} name="shipping" />}
      <Fields form={form} names={["amount", "restock", "note"]} />
      <p class="sum" aria-live="polite" data-refund hidden />
    </ConfirmButton>
  );
};

type Preview = { order: OrderRow; amount: number; show: (failed: Failed) => Response | Promise<Response> };

/** The amount of a refund, or without script the refund's form with it. */
export function previewRefund(c: Context<PanelEnv>, { action, values }: SentForm, { order, amount, show }: Preview) {
  const [sum = "", left] = [amount, refundableAmount(order)].map((minor) => formatMoney(minor, order.currency));
  if (asksForJson(c)) return c.json({ sum: `${sum} of ${left} goes back`, action: `Refund ${sum}` });
  const message = `${sum} of ${left} will be refunded. Nothing was refunded yet.`;
  return show({ action, values: { ...values, sum: [sum] }, errors: {}, message, tone: "warning" });
}

const openLines = ({ items }: OrderRow) =>
  items.filter(({ quantity, refundedQuantity }) => refundedQuantity < quantity);

type RefundField = UnitsField | "items" | "shipping" | "amount" | "restock" | keyof typeof moveInputs;

const refundInputs = (order: OrderRow): FormInputs<RefundField> => ({
  items: { as: "group", label: "Units to refund" },
  ...unitsInputs(
    openLines(order).map((item) => ({ id: item.id, label: nameWithValues(item), unit: refundableUnits(order, item) })),
  ),
  shipping: {
    as: "choice",
    label: `Shipping, ${formatMoney(refundableShipping(order), order.currency)}`,
    options: [
      ["", "Refunded with the last units"],
      ["true", "Goes back"],
      ["false", "Not refunded"],
    ],
  },
  amount: {
    as: "money",
    label: "Or enter an amount",
    hint: `Refunds money without units, up to ${formatMoney(refundableAmount(order), order.currency)}.`,
  },
  restock: { as: "flag", label: "Return items to stock" },
  ...moveInputs,
});

/**
 * A line's discount is part of its price, so units of a discounted line are described by the amount paid for all of
 * them.
 */
function refundableUnits(order: OrderRow, item: OrderRow["items"][number]): string {
  const { quantity, refundedQuantity, unitPrice } = item;
  const paid = paidForLine(order, item);
  const price =
    paid === quantity * unitPrice
      ? `at ${formatMoney(unitPrice, order.currency)}`
      : `${formatMoney(paid, order.currency)} for ${quantity}`;
  return `of ${quantity - refundedQuantity}, ${price}`;
}
