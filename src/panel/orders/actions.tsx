import type { Child } from "hono/jsx";
import { refundableAmount } from "../../checkout/orders/refunds/extent.ts";
import { canBeRefunded } from "../../checkout/orders/refunds/refund.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { unsentLines } from "../../checkout/orders/shipments/units.ts";
import { canBeMarkedPaid, hasLeft, type OrderStatus, openMoves, SENT } from "../../checkout/orders/transitions.ts";
import { canChangeAddress } from "../../checkout/orders/update.ts";
import type { Address } from "../../domain/address.ts";
import { formatMoney } from "../../domain/money.ts";
import { isPaidLater } from "../../platform/db/order-payment.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { Allowed, type Need, useAllowed } from "../kit/allowed.tsx";
import { Columns, Field } from "../kit/fields.tsx";
import { Button, DialogButton, Form, FormDialog, type Tone } from "../kit/form.tsx";
import { Lines, linesOfAddress } from "../kit/values.tsx";
import { addressFieldsOf, addressInputs, addressValues, endSentInputs } from "./inputs.ts";
import { nameOfItem } from "./items.tsx";
import { Refund } from "./refund.tsx";

type MovesProps = { order: OrderRow; failed: Failed | null };

type Move = {
  to: OrderStatus | "paid";
  needs: Need;
  label: string;
  title: string;
  text: Child;
  tone?: Tone;
  isNext?: boolean;
};

/** Changes of status that the order allows by a question, with the next step last. */
function movesOf(order: OrderRow): Move[] {
  const open = openMoves(order);
  const isPaid = order.paidAt !== null;
  const maySend = open.includes(SENT);
  const moves: (Move & { isOpen: boolean })[] = [
    {
      isOpen: open.includes("cancelled"),
      to: "cancelled",
      needs: isPaid ? "payments:write" : "orders:write",
      label: "Cancel order",
      title: `Cancel order ${order.number}?`,
      text: whatCancellingMeans(order),
      tone: "danger",
    },
    {
      isOpen: (isPaid || isPaidLater(order)) && open.includes("completed"),
      to: "completed",
      needs: "orders:write",
      label: "Complete",
      title: "Mark this order as completed?",
      text: whatCompletingMeans(order),
      isNext: isPaid && !maySend,
    },
    {
      isOpen: canBeMarkedPaid(order),
      to: "paid",
      needs: "payments:write",
      label: "Mark paid",
      title: "Mark this order as paid?",
      text: isPaidLater(order)
        ? "Records the payment and makes downloads available. The order keeps its status."
        : "The order continues as if it was paid online, and downloads become available.",
      isNext: !maySend,
    },
  ];
  return moves.filter(({ isOpen }) => isOpen);
}

/** Buttons of the moves that few orders need, for the menu, or of the others. `Moves` has their dialogs. */
export const MoveButtons = ({ order, failed, areRare = false }: MovesProps & { areRare?: boolean }) =>
  movesOf(order)
    .filter(({ to, isNext = false }) => (isNext || to === "paid") !== areRare)
    .map(({ needs, ...move }) => (
      <Allowed to={needs}>
        <DialogButton {...move} form={formOf(order, failed, move.to)} />
      </Allowed>
    ));

/** Actions that the order's status allows. The form below ships it, because a parcel needs a carrier. */
export const Moves = ({ order, failed }: MovesProps) => (
  <>
    {canBeRefunded(order) && (
      <Allowed to="payments:write">
        <Refund order={order} failed={failed} />
      </Allowed>
    )}
    <MoveButtons order={order} failed={failed} />
    {movesOf(order).map(({ needs, ...move }) => (
      <Allowed to={needs}>
        <MoveDialog {...move} order={order} failed={failed} />
      </Allowed>
    ))}
  </>
);

function whatCancellingMeans(order: OrderRow): string {
  if (order.paidAt !== null) {
    return `Refunds ${formatMoney(refundableAmount(order), order.currency)} and returns the items to stock.`;
  }
  if (!hasLeft(order)) return "Returns the items to stock.";
  return "Nothing was paid, so nothing is refunded. Items that were not sent return to stock.";
}

function whatCompletingMeans({ items }: OrderRow): Child {
  const unsent = unsentLines(items);
  if (unsent.length === 0) return "Nothing remains to be sent.";
  return (
    <>
      Not sent yet:{" "}
      {unsent.map(({ itemId, quantity }, place) => (
        <>
          {place > 0 && "; "}
          {quantity} × <bdi>{nameOfItem(items, itemId)}</bdi>
        </>
      ))}
      . Completing the order counts them as handed over.
    </>
  );
}

function formOf(order: OrderRow, failed: Failed | null, to: Move["to"]) {
  const path = `/admin/orders/${order.id}/move`;
  const refused = failed?.values[fieldOf(to)]?.[0] === to ? failed : null;
  const form = formFor(refused, path, { inputs: endSentInputs, etag: etagOf(order.updatedAt) });
  return { ...form, action: `${path}?to=${to}` };
}

const fieldOf = (to: Move["to"]) => (to === "paid" ? "payment_status" : "status");

const MoveDialog = ({ order, failed, to, label, title, text, tone = "primary" }: MovesProps & Omit<Move, "needs">) => {
  const form = formOf(order, failed, to);
  return (
    <FormDialog form={form} action={label} title={title} text={text} tone={tone} movesMoney>
      <input type="hidden" name={fieldOf(to)} value={to} />
      {to === "cancelled" && order.paidAt === null && hasLeft(order) && <Field form={form} name="restock" />}
      <Field form={form} name="note" />
    </FormDialog>
  );
};

type ShippingAddressProps = { order: OrderRow; failed: Failed | null };

/** The shipping address, editable until the order is shipped. */
export const ShippingAddress = ({ order, failed }: ShippingAddressProps) => {
  const mayChange = useAllowed("orders:write");
  if (!mayChange || !canChangeAddress(order)) return <Written address={order.shippingAddress} home={order.country} />;
  return (
    <>
      {order.shippingAddress && <Written address={order.shippingAddress} home={order.country} />}
      <AddressForm order={order} failed={failed} field="shipping_address" address={order.shippingAddress} />
    </>
  );
};

/** The billing address, if it differs. */
export const BillingAddress = ({ order, failed }: ShippingAddressProps) => {
  const mayChange = useAllowed("orders:write");
  if (!mayChange) return <Written address={order.billingAddress} home={order.country} />;
  return (
    <>
      <Written address={order.billingAddress} home={order.country} />
      <AddressForm order={order} failed={failed} field="billing_address" address={order.billingAddress} />
    </>
  );
};

const Written = ({ address, home }: { address: Address | null; home: string | null }) => {
  if (!address) return <p class="muted">None</p>;
  return (
    <p class="address">
      <Lines lines={linesOfAddress(address, home)} />
    </p>
  );
};

/** Path of each form below the order. */
const PATHS = { shipping_address: "address", billing_address: "billing-address" };

type FormProps = ShippingAddressProps & { field: keyof typeof PATHS; address: Address | null };

const AddressForm = ({ order, failed, field, address }: FormProps) => {
  const isRefused = failed?.action.endsWith(`/${PATHS[field]}`) === true;
  const form = formFor(failed, `/admin/orders/${order.id}/${PATHS[field]}`, {
    inputs: addressInputs(field),
    values: addressValues(field, address),
    etag: etagOf(order.updatedAt),
  });
  return (
    <details class="correction" open={!address || isRefused}>
      <summary>Correct the address</summary>
      <Form form={form}>
        <Columns form={form} names={addressFieldsOf(field)} />
        <Button tone="quiet">{field === "shipping_address" ? "Save address" : "Save billing address"}</Button>
      </Form>
    </details>
  );
};
