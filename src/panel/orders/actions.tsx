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
            title="Mark this order as paid?"
            text="The order continues as if the payment provider had confirmed it, and downloads become available."
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
            title="Mark this order as completed?"
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
            text="Refunds the full payment and returns the items to stock."
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
        hint="Added to the order's history. The customer can read it."
        maxlength={500}
      />
    </ConfirmButton>
  );
};
