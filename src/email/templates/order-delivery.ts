import { formatMoment } from "./occasion.ts";
import { type OrderContent, orderLink, orderTemplate } from "./order.ts";
import { type Block, linkTo } from "./template.ts";

export const orderShipped = orderTemplate(
  (letter, order) => ({
    subject: `Your order ${order.number} is on its way`,
    blocks: [
      `We have sent your order from ${letter.shop}.`,
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
        lines: order.downloads.map(({ name, packages, ...rights }) => ({
          text: counted(packages, name),
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
        packages: 1,
        limit: 5,
        expiresAt: Date.UTC(2030, 1, 28, 12),
      },
      { name: "Halftone Brushes", packages: 2, limit: null, expiresAt: null },
    ],
  },
);

function tracking({ shipment }: OrderContent): Block[] {
  if (!shipment) return [];
  const { carrier, tracking_number, tracking_url } = shipment;
  const number = tracking_number === null ? {} : { "Tracking number": tracking_number };
  const isSecure = tracking_url?.startsWith("https://");
  return [{ facts: { Carrier: carrier, ...number } }, ...linkTo("Track the parcel", isSecure ? tracking_url : null)];
}

/** Without what was refunded before the rest was sent. */
const sent = ({ items }: OrderContent): Block => ({
  lines: items
    .map(({ name, quantity, refundedQuantity }) => ({ name, left: quantity - refundedQuantity }))
    .filter(({ left }) => left > 0)
    .map(({ name, left }) => ({ text: counted(left, name) })),
});

const counted = (count: number, name: string): string => `${count} × ${name}`;

const allowed = ({ limit, expiresAt }: Pick<OrderContent["downloads"][number], "limit" | "expiresAt">): string =>
  [limit !== null && `${limit} downloads each`, expiresAt !== null && `until ${formatMoment(expiresAt)}`]
    .filter(Boolean)
    .join(", ");
