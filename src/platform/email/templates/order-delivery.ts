import { formatMoment } from "../../../domain/moment.ts";
import { type OrderContent, orderLink, orderTemplate } from "./order.ts";
import { type Block, linkTo } from "./template.ts";

export const orderShipped = orderTemplate(
  (letter, order) => ({
    subject: `${atStart(partOf(order))} ${order.number} is on its way`,
    blocks: [
      `We have sent ${partOf(order)} from ${letter.shop}.`,
      ...(order.shipment?.part === "part" ? ["We write again when more of it is on its way."] : []),
      ...tracking(order),
      sent(order),
      ...orderLink(letter, order),
    ],
  }),
  {
    status: "shipped",
    fulfillmentStatus: "fulfilled",
    shipment: {
      carrier: "Royal Mail",
      tracking_number: "QX 5512 9047 GB",
      tracking_url: "https://tracking.example/QX551290471GB",
      part: "whole",
      items: [
        { name: "Waxed Canvas Satchel", quantity: 2 },
        { name: "Brass Desk Lamp", quantity: 1 },
      ],
    },
  },
);

export const downloadsReady = orderTemplate(
  (letter, order) => ({
    subject: `The downloads of your order ${order.number} are ready`,
    blocks: [
      order.isGuest
        ? `What you bought at ${letter.shop} can be downloaded.`
        : `What you bought at ${letter.shop} can be downloaded: sign in to your account.`,
      {
        lines: order.downloads.map(({ name, units, ...rights }) => ({
          text: counted(units, name),
          detail: allowed(rights),
        })),
      },
      ...orderLink(letter, order),
    ],
  }),
  {
    status: "completed",
    downloads: [
      {
        name: "Field Recordings, Volume 3: Harbours at Night",
        units: 1,
        limit: 5,
        expiresAt: Date.UTC(2030, 1, 28, 12),
      },
      { name: "Halftone Brushes", units: 2, limit: null, expiresAt: null },
    ],
  },
);

/** The parcel's part of the order. */
const parts = { whole: "your order", part: "a part of your order", rest: "the rest of your order" };

const partOf = ({ shipment }: OrderContent): string => parts[shipment?.part ?? "whole"];

const atStart = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function tracking({ shipment }: OrderContent): Block[] {
  if (!shipment) return [];
  const { carrier, tracking_number, tracking_url } = shipment;
  const number = tracking_number === null ? {} : { "Tracking number": tracking_number };
  const isSecure = tracking_url?.startsWith("https://");
  return [{ facts: { Carrier: carrier, ...number } }, ...linkTo("Track the parcel", isSecure ? tracking_url : null)];
}

/** Contents of the parcel. */
const sent = ({ shipment }: OrderContent): Block => ({
  lines: (shipment?.items ?? []).map(({ name, quantity }) => ({ text: counted(quantity, name) })),
});

const counted = (count: number, name: string): string => `${count} × ${name}`;

const allowed = ({ limit, expiresAt }: Pick<OrderContent["downloads"][number], "limit" | "expiresAt">): string =>
  [limit !== null && `${limit} downloads`, expiresAt !== null && `until ${formatMoment(expiresAt)}`]
    .filter(Boolean)
    .join(", ");
