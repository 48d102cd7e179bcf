import type { OrderRow } from "../../checkout/orders/schemas.ts";
import { unsentLines } from "../../checkout/orders/shipments/units.ts";
import { openMoves, SENT } from "../../checkout/orders/transitions.ts";
import { nameWithValues } from "../../domain/option-values.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type Failed, type FormInputs, type FormState, formFor } from "../forms/inputs.ts";
import { Allowed } from "../kit/allowed.tsx";
import { When } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { UnitsFields } from "./form-sections.tsx";
import { quantityOf, trackingInputs, type UnitsField, unitsInputs } from "./inputs.ts";
import { nameOfItem } from "./items.tsx";

type ShipmentsProps = { order: OrderRow; failed: Failed | null };
type Shipment = OrderRow["shipments"][number];

/** An order's parcels, and the form for the next one. */
export const Shipments = ({ order, failed }: ShipmentsProps) => (
  <>
    {order.shipments.map((shipment, place) => (
      <Parcel order={order} failed={failed} shipment={shipment} number={place + 1} />
    ))}
    {openMoves(order).includes(SENT) && (
      <Allowed to="shipments:write">
        <NewParcel order={order} failed={failed} />
      </Allowed>
    )}
  </>
);

const Parcel = ({ order, failed, shipment, number }: ShipmentsProps & { shipment: Shipment; number: number }) => (
  <>
    <Tracking shipment={shipment} number={number} />
    <ul>
      {shipment.items.map(({ itemId, quantity }) => (
        <li>
          {quantity} × <bdi>{nameOfItem(order.items, itemId)}</bdi>
        </li>
      ))}
    </ul>
    <Allowed to="shipments:write">
      <Correction order={order} failed={failed} shipment={shipment} />
    </Allowed>
  </>
);

/** With a link to the carrier's tracking page. */
const Tracking = ({ shipment, number }: { shipment: Shipment; number: number }) => {
  const { carrier, trackingNumber, trackingUrl, shippedAt } = shipment;
  return (
    <p>
      <strong>Parcel {number}</strong>, sent by {carrier} on <When at={shippedAt} />
      {(trackingNumber ?? trackingUrl) && ": "}
      {trackingUrl ? (
        <a href={trackingUrl} target="_blank" rel="noopener noreferrer">
          {trackingNumber ?? "track the parcel"}
        </a>
      ) : (
        trackingNumber
      )}
    </p>
  );
};

const Correction = ({ order, failed, shipment }: ShipmentsProps & { shipment: Shipment }) => {
  const form = formFor(failed, `/admin/orders/${order.id}/shipments/${shipment.id}`, {
    inputs: trackingInputs,
    values: {
      carrier: shipment.carrier,
      tracking_number: shipment.trackingNumber ?? "",
      tracking_url: shipment.trackingUrl ?? "",
    },
    etag: etagOf(order.updatedAt),
  });
  return (
    <details class="correction" open={form.message !== null}>
      <summary>Correct the tracking</summary>
      <Form form={form}>
        <TrackingFields form={form} />
        <Button tone="quiet">Save tracking</Button>
      </Form>
    </details>
  );
};

/** Defaults to all unsent units. The form takes effect once, however often it is clicked. */
const NewParcel = ({ order, failed }: ShipmentsProps) => {
  const unsent = new Map(unsentLines(order.items).map(({ itemId, quantity }) => [itemId, quantity]));
  const items = order.items.filter(({ id }) => unsent.has(id));
  const inputs: FormInputs<UnitsField | "items" | keyof typeof trackingInputs> = {
    items: { as: "group", label: "In the next parcel" },
    ...unitsInputs(
      items.map((item) => ({ id: item.id, label: nameWithValues(item), unit: `of ${unsent.get(item.id)}` })),
    ),
    ...trackingInputs,
  };
  const values = Object.fromEntries([...unsent].map(([id, quantity]) => [quantityOf(id), String(quantity)]));
  const etag = etagOf(order.updatedAt);
  const form = formFor(failed, `/admin/orders/${order.id}/shipments`, { inputs, values, etag });
  return (
    <Form form={form}>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <UnitsFields form={form} ids={items.map(({ id }) => id)} />
      <TrackingFields form={form} />
      <Button>{order.shipments.length === 0 ? "Ship order" : "Ship parcel"}</Button>
    </Form>
  );
};

const TrackingFields = ({ form }: { form: FormState<keyof typeof trackingInputs> }) => (
  <div class="thirds">
    <Fields form={form} names={["carrier", "tracking_number", "tracking_url"]} />
  </div>
);
