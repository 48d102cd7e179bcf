import { canChangeAddress } from "../../checkout/orders/edit.ts";
import type { OrderRow } from "../../checkout/orders/schemas.ts";
import type { Address as PostalAddress } from "../../domain/address.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Lines, linesOf } from "../kit/address-lines.tsx";
import { useAllowed } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { addressParts, addressValues } from "./address-parts.ts";

type Props = { order: OrderRow; failed: Failed | null };

/** Where the order goes; to be changed while it has not gone. */
export const ShippingAddress = ({ order, failed }: Props) => {
  const mayChange = useAllowed("orders:write");
  if (!mayChange || !canChangeAddress(order)) return <Written address={order.shippingAddress} home={order.country} />;
  return (
    <>
      {order.shippingAddress && <Written address={order.shippingAddress} home={order.country} />}
      <AddressForm order={order} failed={failed} field="shipping_address" address={order.shippingAddress} />
    </>
  );
};

/** Who the invoice is for, where it is somebody else. */
export const BillingAddress = ({ order, failed }: Props) => {
  const mayChange = useAllowed("orders:write");
  if (!mayChange) return <Written address={order.billingAddress} home={order.country} />;
  return (
    <>
      <Written address={order.billingAddress} home={order.country} />
      <AddressForm order={order} failed={failed} field="billing_address" address={order.billingAddress} />
    </>
  );
};

const Written = ({ address, home }: { address: PostalAddress | null; home: string | null }) => {
  if (!address) return <p class="muted">None</p>;
  return (
    <p class="address">
      <Lines lines={linesOf(address, home)} />
    </p>
  );
};

/** Where each form is sent, below the order. */
const PATHS = { shipping_address: "address", billing_address: "billing-address" };

type FormProps = Props & { field: keyof typeof PATHS; address: PostalAddress | null };

const AddressForm = ({ order, failed, field, address }: FormProps) => {
  const isRefused = failed?.action.endsWith(`/${PATHS[field]}`) === true;
  const form = formFor(
    failed,
    `/admin/orders/${order.id}/${PATHS[field]}`,
    addressValues(field, address),
    etagOf(order.updatedAt),
  );
  return (
    <details class="correction" open={!address || isRefused}>
      <summary>Correct the address</summary>
      <Form form={form}>
        <div class="columns">
          {Object.entries(addressParts).map(([part, { label, ...rest }]) => (
            <Field form={form} name={`${field}.${part}`} label={label} {...rest} />
          ))}
        </div>
        <Button tone="quiet">{field === "shipping_address" ? "Save address" : "Save billing address"}</Button>
      </Form>
    </details>
  );
};
