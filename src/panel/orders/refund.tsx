import { etagOf } from "../../http/version.ts";
import type { OrderRow } from "../../orders/schemas.ts";
import { moves } from "../../orders/transitions.ts";
import { type FormState, formFor } from "../forms/state.ts";
import { ConfirmButton } from "../kit/buttons.tsx";
import { Checkbox, Field, Fieldset } from "../kit/fields.tsx";
import { quantityOf } from "./kinds.ts";

export const canBeRefunded = ({ paidAt, status, items }: OrderRow): boolean =>
  paidAt !== null &&
  moves[status].includes("refunded") &&
  items.some(({ quantity, refundedQuantity }) => refundedQuantity < quantity);

/** Units by line, all that is left unless somebody says less. The form is sent once, however often it is clicked. */
export const Refund = ({ order, failed }: { order: OrderRow; failed: FormState | null }) => {
  const open = order.items.filter(({ quantity, refundedQuantity }) => refundedQuantity < quantity);
  const left = open.map(({ id, quantity, refundedQuantity }) => [quantityOf(id), quantity - refundedQuantity]);
  const form = formFor(failed, `/admin/orders/${order.id}/refund`, Object.fromEntries(left));
  return (
    <ConfirmButton
      form={form}
      etag={etagOf(order.updatedAt)}
      label="Refund"
      title={`Refund order ${order.number}`}
      text="The money goes back the way it came, and the downloads of what is refunded end."
      action="Refund now"
    >
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <Fieldset form={form} name="items" label="Units that go back">
        {open.map(({ id, name, quantity, refundedQuantity }) => (
          <Field
            form={form}
            name={quantityOf(id)}
            label={`${name} (of ${quantity - refundedQuantity})`}
            inputmode="numeric"
          />
        ))}
      </Fieldset>
      <Checkbox form={form} name="restock" label="The goods come back to the stock" />
      <Field
        form={form}
        name="note"
        label="Note"
        hint="For the order's history: the buyer reads it too."
        maxlength={500}
      />
    </ConfirmButton>
  );
};
