import type { Schema } from "@storefront-worker/api/client";
import { describe } from "../catalogue/variants.ts";
import { LicenseKeys, type ShownLicenseKey } from "../downloads/license-keys.tsx";
import { PackageCard, type ShownPackage } from "../downloads/package-card.tsx";
import type { AppEnv } from "../env.ts";
import { AddressLines } from "../parts/address-lines.tsx";
import { Day } from "../parts/day.tsx";
import { Status } from "../parts/status.tsx";
import { Summary } from "../parts/summary.tsx";
import { Total } from "../parts/total.tsx";
import { WITHDRAW } from "./labels.ts";
import type { ShownOrder } from "./order-links.ts";
import { Payment } from "./payment.tsx";
import { GuestSubscription, type ShownSubscription, Subscription } from "./subscription.tsx";

type Props = {
  order: ShownOrder;
  /** Null if nothing is shipped, and for a link, because a stranger may have received its e-mail. */
  address: Schema["Order"]["shipping_address"];
  billingAddress?: Schema["Order"]["billing_address"];
  /** E-mail address that received the confirmation of a guest's order. */
  email?: string | null;
  packages: ShownPackage[];
  licenseKeys: ShownLicenseKey[];
  subscriptions?: ShownSubscription[];
  /** The subscription of a link, with the page to cancel it. */
  guestSubscription?: Parameters<typeof GuestSubscription>[0] | false;
  /** Path of the downloads of a link. */
  downloadsPath?: string;
  invoices: Pick<Schema["Invoice"], "id" | "type" | "number">[];
  /** Address of an invoice. That of a link asks for a part of the buyer's address, because its reader may be a stranger. */
  invoiceHref: (id: number) => string;
  env: Pick<AppEnv["Bindings"], "CONTACT">;
  /** False while the buyer, back from the payment service, waits for its confirmation. */
  isConfirmed: boolean;
  /** Undefined for a link, which shows no products that could be ordered. */
  reorderPath?: string;
  /** Undefined for a link, whose reader cannot change the order. */
  actionsPath?: string;
};

export const OrderPage = ({
  order,
  address,
  billingAddress,
  email,
  packages,
  licenseKeys,
  subscriptions = [],
  guestSubscription,
  downloadsPath,
  invoices,
  invoiceHref,
  env,
  isConfirmed,
  reorderPath,
  actionsPath,
}: Props) => {
  const { number, status, created_at, items, currency } = order;
  const lines = items.map(({ name, option_values, quantity, refunded_quantity: refunded, total }) => ({
    name,
    details: [describe(option_values), refundedOf(refunded, quantity)],
    quantity,
    amount: total,
  }));
  return (
    <>
      <h1>
        Order <span class="whole">{number}</span>
      </h1>
      <p class="quiet">
        <Day at={created_at} /> · <Status of={status} />
      </p>
      <Progress order={order} />
      {email && <p>We send the confirmation, with a link to this page, to {email}.</p>}
      <div class="cart">
        <div>
          {packages.map((one) => (
            <PackageCard package={one} {...(downloadsPath && { path: downloadsPath })} />
          ))}
          <LicenseKeys keys={licenseKeys} />
          {subscriptions.map((one) => (
            <Subscription subscription={one} path={`${actionsPath}/subscriptions/${one.id}`} />
          ))}
          {guestSubscription && <GuestSubscription {...guestSubscription} />}
          <Payment order={order} isConfirmed={isConfirmed} />
          <Delivery shipments={order.shipments} address={address} />
          {billingAddress && (
            <section class="panel">
              <h2>Invoice address</h2>
              <AddressLines address={billingAddress} />
            </section>
          )}
        </div>
        <div>
          <section class="panel review">
            <h2>Items</h2>
            <Summary lines={lines} currency={currency} />
            <Total of={order} />
            {reorderPath && (
              <form method="post" action={reorderPath}>
                <button class="soft" type="submit">
                  Order again
                </button>
              </form>
            )}
          </section>
          {invoices.length > 0 && (
            <section class="panel">
              <h2>Invoices</h2>
              {invoices.map(({ id, type, number: ofInvoice }) => (
                <p>
                  <a class="button soft" href={invoiceHref(id)}>
                    {invoiceNames[type]} {ofInvoice} (PDF)
                  </a>
                </p>
              ))}
            </section>
          )}
          <section class="panel">
            <h2>Questions about this order?</h2>
            {actionsPath && <Actions order={order} path={actionsPath} />}
            <p>
              {env.CONTACT}. Please name the order number <span class="whole">{number}</span>.
            </p>
            {order.accepted_terms !== null && (
              <p>
                <a href={`/pages/terms?version=${order.accepted_terms}`}>The terms of this order</a>
              </p>
            )}
            {!hasEnded(order) && (
              <p>
                <a href={`/withdraw?order=${encodeURIComponent(number)}`}>{WITHDRAW}</a>
              </p>
            )}
          </section>
        </div>
      </div>
    </>
  );
};

const invoiceNames: Record<Schema["Invoice"]["type"], string> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  corrected_invoice: "Corrected invoice",
};

const hasEnded = ({ status }: ShownOrder): boolean => ["cancelled", "expired", "refunded"].includes(status);

/** Buttons to cancel what has not left, and to return what has. */
const Actions = ({ order: { status, fulfillment_status: sent }, path }: { order: ShownOrder; path: string }) => (
  <>
    {["pending", "processing"].includes(status) && sent !== "partially_fulfilled" && (
      <form method="post" action={`${path}/cancel`}>
        <button class="soft" type="submit">
          Cancel order
        </button>
      </form>
    )}
    {(["shipped", "completed"].includes(status) || sent === "partially_fulfilled") && (
      <form method="post" action={`${path}/return`}>
        <button class="soft" type="submit">
          Request a return
        </button>
      </form>
    )}
  </>
);

const refundedOf = (refunded: number, quantity: number): string => {
  if (refunded === 0) return "";
  return refunded === quantity ? "Refunded" : `${refunded} of ${quantity} refunded`;
};

/** The progress of the order. Empty once it was cancelled, has expired or was refunded. */
const Progress = ({ order }: { order: ShownOrder }) => {
  const { status, payment, fulfillment_status } = order;
  if (hasEnded(order)) return null;
  const isSent = ["shipped", "completed"].includes(status);
  const steps = [
    { name: "Ordered", isDone: true },
    { name: "Paid", isDone: payment.paid_at !== null },
    fulfillment_status === "not_required"
      ? { name: "Completed", isDone: status === "completed" }
      : { name: "Shipped", isDone: isSent },
  ];
  return (
    <ol class="progress">
      {steps.map(({ name, isDone }) => (
        <li class={isDone ? "done" : undefined}>
          {name}
          {isDone && <span class="unseen">: done</span>}
        </li>
      ))}
    </ol>
  );
};

const Delivery = ({ shipments, address }: Pick<ShownOrder, "shipments"> & Pick<Props, "address">) =>
  (address || shipments.length > 0) && (
    <section class="panel">
      <h2>Delivery</h2>
      {shipments.map((shipment) => (
        <Shipment shipment={shipment} />
      ))}
      {address && <AddressLines address={address} />}
    </section>
  );

const Shipment = ({ shipment }: { shipment: ShownOrder["shipments"][number] }) => {
  const { carrier, shipped_at, tracking_number, tracking_url } = shipment;
  return (
    <p>
      Shipped with {carrier} on <Day at={shipped_at} />
      {tracking_number && `: ${tracking_number}`}
      {tracking_url && (
        <>
          {" · "}
          <a href={tracking_url}>Track parcel</a>
        </>
      )}
    </p>
  );
};
