import type { Schema } from "storefront/client";
import { PackageCard } from "../downloads/package-card.tsx";
import { countryName } from "../parts/countries.ts";
import { Day } from "../parts/day.tsx";
import { Status } from "../parts/status.tsx";
import { Summary } from "../parts/summary.tsx";
import { Total } from "../parts/total.tsx";
import { Payment } from "./payment.tsx";

type Order = Schema["Order"];

type Props = { order: Order; packages: Schema["Package"][]; instructions: string };

export const OrderPage = ({ order, packages, instructions }: Props) => {
  const { number, status, created_at, items, currency } = order;
  const lines = items.map((item) => ({ name: item.name, quantity: item.quantity, amount: item.total }));
  return (
    <>
      <h1>
        Order <span class="whole">{number}</span>
      </h1>
      <p class="quiet">
        <Day at={created_at} /> · <Status of={status} />
      </p>
      {order.customer.id === null && (
        <p>You ordered as a guest. The order stays under Orders in this browser for 30 days.</p>
      )}
      <Payment order={order} instructions={instructions} />
      {packages.map((one) => (
        <PackageCard package={one} />
      ))}
      <section class="panel">
        <h2>Items</h2>
        <Summary lines={lines} currency={currency} />
        <Total of={order} />
      </section>
      <Delivery order={order} />
    </>
  );
};

const Delivery = ({ order: { shipping_address: to, shipment } }: { order: Order }) =>
  to && (
    <section class="panel">
      <h2>Delivery</h2>
      <p>{linesOf(to).join(", ")}</p>
      {shipment && <Shipment shipment={shipment} />}
    </section>
  );

function linesOf({
  name,
  company,
  address,
  address2,
  city,
  zip,
  region,
  country,
}: NonNullable<Order["shipping_address"]>): string[] {
  const lines = [
    name,
    company,
    address,
    address2,
    zip ? `${city} ${zip}` : city,
    region,
    country && countryName(country),
  ];
  return lines.flatMap((line) => line || []);
}

const Shipment = ({ shipment }: { shipment: NonNullable<Order["shipment"]> }) => {
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
