import type { Child, PropsWithChildren } from "hono/jsx";
import type { ShopRow } from "../../../back-office/shop/fields.ts";
import { isTestPayment, type OrderRow } from "../../../checkout/orders/schemas.ts";
import type { ShipmentLine } from "../../../checkout/orders/shipments/schemas.ts";
import { unsentLines } from "../../../checkout/orders/shipments/units.ts";
import { formatMoney } from "../../../domain/money.ts";
import { describeOptions } from "../../../domain/option-values.ts";
import { isPaidLater } from "../../../platform/db/order-payment.ts";
import type { EmailSettings } from "../../../platform/settings/email.ts";
import { formatDay } from "../../kit/dates.tsx";
import { Lines, linesOfAddress } from "../../kit/values.tsx";

/** A page to print: sheets of paper, and on screen a link back. */
export const Paper = ({
  title,
  back,
  action,
  children,
}: PropsWithChildren<{ title: string; back: string; action?: Child }>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <link rel="stylesheet" href="/admin-assets/print.css" />
      <link rel="icon" href="/admin-assets/icon.svg" type="image/svg+xml" />
      <script src="/admin-assets/print.js" type="module" />
    </head>
    <body>
      <nav class="screen">
        <a href={back}>← Back</a>
        <button type="button" hidden>
          Print
        </button>
        {action}
        <span>Print with your browser (Ctrl P or ⌘ P).</span>
      </nav>
      <main>{children}</main>
    </body>
  </html>
);

/** The sender on a sheet: the shop's name and address. */
export type Sender = { name: string; lines: string[] };

/** The sender from the shop's settings, or the deployment's. */
export function senderOf({ name, address }: ShopRow, settings: Pick<EmailSettings, "shopAddress">): Sender {
  const lines = address ? linesOfAddress(address) : settings.shopAddress.split(/\n|, /).filter(Boolean);
  return { name, lines: lines.filter((line) => line !== name) };
}

/** The head of a sheet: its title and sender. */
export const SheetHead = ({ title, sender, children }: PropsWithChildren<{ title: string; sender: Sender }>) => (
  <header>
    <div>
      <h1>{title}</h1>
      {children}
    </div>
    <address>
      <strong>{sender.name}</strong>
      <br />
      <Lines lines={sender.lines} />
    </address>
  </header>
);

/** Tells packers which orders nobody paid for. */
export const TestMark = ({ orders }: { orders: readonly OrderRow[] }) => {
  const numbers = orders.filter(isTestPayment).map(({ number }) => number);
  if (numbers.length === 0) return null;
  return (
    <p>
      <strong>Test, no money was paid: {numbers.join(", ")}</strong>
    </p>
  );
};

export const Party = ({ title, children }: { title: string; children: Child }) => (
  <div>
    <h2>{title}</h2>
    <p>{children}</p>
  </div>
);

type Sheet = { title: string; sent: string | null; lines: readonly ShipmentLine[] };

/** A sheet for unsent items, and one for each sent parcel. */
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

/** The sheets to print for many orders: items to pack now, or the shipped parcels if there are none. */
export const nextSheets = (order: OrderRow): Sheet[] =>
  sheetsOf(order).filter(({ sent }, _, all) => sent === null || all.every((sheet) => sheet.sent !== null));

/** Packing slips of an order, without prices, for its parcels. They state the amount to collect on delivery. */
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
          <TestMark orders={[order]} />
        </SheetHead>
        <div class="parties">
          <Party title="Ship to">
            {order.shippingAddress ? <Lines lines={linesOfAddress(order.shippingAddress, order.country)} /> : "Nowhere"}
          </Party>
          {order.shippingMethod && <Party title="Shipping method">{order.shippingMethod.name}</Party>}
          {sheet.sent !== null && <Party title="Sent">{sheet.sent}</Party>}
          {order.paymentMethod === "cash" && isPaidLater(order) && (
            <Party title="Cash on delivery">Collect {formatMoney(order.total, order.currency)}</Party>
          )}
        </div>
        <Contents lines={itemsOf(order, sheet.lines)} />
      </section>
    ))}
    {sheets.length === 0 && <p class="notes">Order {order.number} has no items to ship.</p>}
  </>
);

type PaperLine = { item: OrderRow["items"][number]; quantity: number };

const itemsOf = ({ items }: OrderRow, lines: readonly ShipmentLine[]): PaperLine[] =>
  lines.flatMap(({ itemId, quantity }) => items.filter(({ id }) => id === itemId).map((item) => ({ item, quantity })));

/** The unsent items of several orders, added up by SKU, to be fetched from the shelves in one round. */
export const PickList = ({ orders, sender }: { orders: readonly OrderRow[]; sender: Sender }) => {
  const picked = new Map<string, PaperLine>();
  for (const { item, quantity } of orders.flatMap((order) => itemsOf(order, unsentLines(order.items)))) {
    picked.set(item.sku, { item, quantity: quantity + (picked.get(item.sku)?.quantity ?? 0) });
  }
  return (
    <section class="sheet">
      <SheetHead title="Pick list" sender={sender}>
        <p>{orders.length === 1 ? "1 order" : `${orders.length} orders`}</p>
        <TestMark orders={orders} />
      </SheetHead>
      <Contents lines={[...picked.values()].toSorted((one, other) => (one.item.sku < other.item.sku ? -1 : 1))} />
    </section>
  );
};

const Contents = ({ lines }: { lines: readonly PaperLine[] }) => (
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
      {lines.map(({ item, quantity }) => (
        <tr>
          <td>{item.sku}</td>
          <td>
            {item.name}
            {item.optionValues.length > 0 && (
              <>
                <br />
                <small>{describeOptions(item.optionValues)}</small>
              </>
            )}
          </td>
          <td class="numeric">{quantity}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
