import type { OrderRow } from "../../../checkout/orders/schemas.ts";
import type { ShipmentLine } from "../../../checkout/orders/shipments/schemas.ts";
import { unsentLines } from "../../../checkout/orders/shipments/units.ts";
import { Lines, linesOf } from "../../kit/address-lines.tsx";
import { formatDay } from "../../kit/dates.ts";
import { Party, type Sender, SheetHead } from "./paper.tsx";

type Sheet = { title: string; sent: string | null; lines: readonly ShipmentLine[] };

/** A sheet for what waits to be sent, and one for each parcel that has left. */
const sheetsOf = ({ items, shipments }: OrderRow): Sheet[] => {
  const waiting = unsentLines(items);
  return [
    ...(waiting.length > 0 ? [{ title: "Packing slip", sent: null, lines: waiting }] : []),
    ...shipments.map(({ carrier, trackingNumber, shippedAt, items: lines }, place) => ({
      title: `Packing slip, parcel ${place + 1}`,
      sent: [formatDay(shippedAt), carrier, trackingNumber].filter(Boolean).join(", "),
      lines,
    })),
  ];
};

/** What to pack now, or what was packed where nothing waits: the sheets that are printed of many orders. */
export const nextSheets = (order: OrderRow): Sheet[] =>
  sheetsOf(order).filter(({ sent }, _, all) => sent === null || all.every((sheet) => sheet.sent !== null));

/** The packing slips of an order, without prices: they lie in the parcels. */
export const PackingSlips = ({
  order,
  sender,
  sheets = sheetsOf(order),
}: {
  order: OrderRow;
  sender: Sender;
  sheets?: Sheet[];
}) => (
  <>
    {sheets.map((sheet) => (
      <section class="sheet">
        <SheetHead title={sheet.title} sender={sender}>
          <p>
            Order {order.number}, placed {formatDay(order.createdAt)}
          </p>
        </SheetHead>
        <div class="parties">
          <Party title="Ship to">
            {order.shippingAddress ? <Lines lines={linesOf(order.shippingAddress, order.country)} /> : "Nowhere"}
          </Party>
          {order.shippingMethod && <Party title="Shipping method">{order.shippingMethod.name}</Party>}
          {sheet.sent !== null && <Party title="Sent">{sheet.sent}</Party>}
        </div>
        <Contents order={order} lines={sheet.lines} />
      </section>
    ))}
    {sheets.length === 0 && <p class="notes">No shippable items in order {order.number} is sent.</p>}
  </>
);

const Contents = ({ order, lines }: { order: OrderRow; lines: readonly ShipmentLine[] }) => (
  <table>
    <thead>
      <tr>
        <th scope="col">SKU</th>
        <th scope="col">Item</th>
        <th scope="col" class="numeric">
          Quantity
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map(({ itemId, quantity }) => {
        const item = order.items.find(({ id }) => id === itemId);
        return (
          <tr>
            <td>{item?.sku}</td>
            <td>{item?.name}</td>
            <td class="numeric">{quantity}</td>
          </tr>
        );
      })}
    </tbody>
  </table>
);
