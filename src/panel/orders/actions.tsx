import type { Child } from "hono/jsx";
import { canBeRefunded } from "../../checkout/orders/refunds/refund.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { unsentLines } from "../../checkout/orders/shipments/units.ts";
import { canBeMarkedPaid, hasLeft, type OrderStatus, openMoves, SENT } from "../../checkout/orders/transitions.ts";
import { canChangeAddress } from "../../checkout/orders/update.ts";
import type { Address } from "../../domain/address.ts";
import { isPaidLater } from "../../platform/db/order-payment.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { Allowed, useAllowed } from "../kit/allowed.tsx";
import { Columns, Field } from "../kit/fields.tsx";
import { Button, ConfirmButton, Form, LinkButton } from "../kit/form.tsx";
import { Lines, linesOfAddress } from "../kit/values.tsx";
import { addressFieldsOf, addressInputs, addressValues, endSentInputs } from "./inputs.ts";
import { nameOfItem } from "./items.tsx";
import { Refund } from "./refund.tsx";

type MovesProps = { order: OrderRow; failed: Failed | null };

/** Id of the section whose form ships the order. */
export const SHIPPING = "shipping";

/** Actions that the order's status allows, with the next step last. Shipping needs a carrier, so its button leads to the form. */
export const Moves = ({ order, failed }: MovesProps) => {
  const open = openMoves(order);
  const isPaid = order.paidAt !== null;
  const maySend = open.includes(SENT);
  return (
    <>
      {open.includes("cancelled") && (
        <Allowed to={isPaid ? "payments:write" : "orders:write"}>
          <Move
            order={order}
            failed={failed}
            to="cancelled"
            label="Cancel order"
            title={`Cancel order ${order.number}?`}
            text={whatCancellingMeans(order)}
            tone="danger"
          />
        </Allowed>
      )}
      {canBeRefunded(order) && (
        <Allowed to="payments:write">
          <Refund order={order} failed={failed} />
        </Allowed>
      )}
      {(isPaid || isPaidLater(order)) && open.includes("completed") && (
        <Allowed to="orders:write">
          <Move
            order={order}
            failed={failed}
            to="completed"
            label="Complete"
            title="Mark this order as completed?"
            text={whatCompletingMeans(order)}
            isNext={isPaid && !maySend}
          />
        </Allowed>
      )}
      {canBeMarkedPaid(order) && (
        <Allowed to="payments:write">
          <Move
            order={order}
            failed={failed}
            to="paid"
            label="Mark paid"
            title="Mark this order as paid?"
            text={
              isPaidLater(order)
                ? "Records the payment and makes downloads available. The order keeps its status."
                : "The order continues as if it was paid online, and downloads become available."
            }
            isNext={!maySend}
          />
        </Allowed>
      )}
      {maySend && (
        <Allowed to="shipments:write">
          <LinkButton href={`#${SHIPPING}`} tone="primary">
            Ship items
          </LinkButton>
        </Allowed>
      )}
    </>
  );
};

function whatCancellingMeans(order: OrderRow): string {
  if (order.paidAt !== null) return "Refunds the full payment and returns the items to stock.";
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

type MoveProps = MovesProps & Pick<Parameters<typeof ConfirmButton>[0], "label" | "title" | "text" | "tone" | "isNext">;

const Move = ({ order, failed, to, tone = "primary", ...words }: MoveProps & { to: OrderStatus | "paid" }) => {
  const path = `/admin/orders/${order.id}/move`;
  const field = to === "paid" ? "payment_status" : "status";
  const refused = failed?.values[field]?.[0] === to ? failed : null;
  const etag = etagOf(order.updatedAt);
  const form = { ...formFor(refused, path, { inputs: endSentInputs, etag }), action: `${path}?to=${to}` };
  return (
    <ConfirmButton {...words} form={form} tone={tone}>
      <input type="hidden" name={field} value={to} />
      {to === "cancelled" && order.paidAt === null && hasLeft(order) && <Field form={form} name="restock" />}
      <Field form={form} name="note" />
    </ConfirmButton>
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
