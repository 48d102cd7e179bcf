import type { Schema } from "storefront/client";
import { PackageCard } from "../downloads/package-card.tsx";
import { Day } from "../parts/day.tsx";
import { Status } from "../parts/status.tsx";
import { Summary } from "../parts/summary.tsx";

type Order = Schema["Order"];

export const OrderPage = ({ order, packages }: { order: Order; packages: Schema["Package"][] }) => {
  const { number, status, created_at, items, total, currency } = order;
  const lines = items.map((item) => ({ name: item.name, quantity: item.quantity, amount: item.total }));
  return (
    <>
      <h1>
        Order <span class="whole">{number}</span>
      </h1>
      <p class="quiet">
        <Day at={created_at} /> · <Status of={status} />
      </p>
      {packages.map((one) => (
        <PackageCard package={one} />
      ))}
      <section class="panel">
        <h2>What you ordered</h2>
        <Summary lines={lines} total={total} currency={currency} />
      </section>
      <Sending order={order} />
    </>
  );
};

const Sending = ({ order: { shipping_address: to, shipment } }: { order: Order }) =>
  to && (
    <section class="panel">
      <h2>Where it goes</h2>
      <p>
        {to.name}, {to.address}, {to.city} {to.zip}
      </p>
      {shipment && (
        <p>
          Sent with {shipment.carrier} on <Day at={shipment.shipped_at} />
          {shipment.tracking_number && `: ${shipment.tracking_number}`}
        </p>
      )}
    </section>
  );
