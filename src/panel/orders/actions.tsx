import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { type OrderStatus, openMoves, paidStatus } from "../../checkout/orders/transitions.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { Field } from "../kit/fields.tsx";

type Props = { order: OrderRow; failed: Failed | null };

/** Buttons for the moves that the order's status allows. Shipping needs a carrier, so its form is in the delivery section. */
export const Moves = ({ order, failed }: Props) => {
  const open = openMoves(order);
  return (
    <>
      {order.paidAt === null && open.includes(paidStatus(order)) && (
        <Allowed to="payments:write">
          <Move
            order={order}
            failed={failed}
            to={paidStatus(order)}
            label="Mark paid"
            title="Was the money taken by hand?"
            text="The order goes on as if its provider had said so, and its downloads are granted."
          />
        </Allowed>
      )}
      {order.paidAt !== null && open.includes("completed") && (
        <Allowed to="orders:write">
          <Move
            order={order}
            failed={failed}
            to="completed"
            label="Complete"
            title="Has the buyer got everything?"
            text="Nothing remains to be sent."
          />
        </Allowed>
      )}
      {open.includes("cancelled") && (
        <Allowed to={order.paidAt === null ? "orders:write" : "payments:write"}>
          <Move
            order={order}
            failed={failed}
            to="cancelled"
            label="Cancel order"
            title={`Cancel order ${order.number}?`}
            text="What was paid goes back in full, and the stock too."
            danger
          />
        </Allowed>
      )}
    </>
  );
};

type MoveProps = Props & { to: OrderStatus; label: string; title: string; text: string; danger?: boolean };

const Move = ({ order, failed, to, label, title, text, danger = false }: MoveProps) => {
  const path = `/admin/orders/${order.id}/move`;
  const refused = failed?.values.status?.[0] === to ? failed : null;
  const form = { ...formFor(refused, path, {}, etagOf(order.updatedAt)), action: `${path}?to=${to}` };
  return (
    <ConfirmButton form={form} label={label} title={title} text={text} tone={danger ? "danger" : "primary"}>
      <input type="hidden" name="status" value={to} />
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
