import type { Block, Letter } from "../../../platform/email/template.ts";
import { type OrderContent, orderLink, orderTemplate } from "./order.ts";

function opening({ downloads, licenseKeys }: OrderContent) {
  if (downloads.length > 0) {
    return {
      subject: "Your downloads from order {order} are ready",
      introduction: "Your downloads from {shop} are ready.",
    } as const;
  }
  return licenseKeys.every(({ value }) => value !== null)
    ? ({
        subject: "Your gift cards from order {order}",
        introduction: "Here are your gift cards from {shop}. Anyone with the code can redeem a card.",
      } as const)
    : ({
        subject: "Your license keys from order {order}",
        introduction: "Here are your license keys from {shop}.",
      } as const);
}

const downloadsReady = orderTemplate(
  (letter, order) => ({
    ...opening(order),
    blocks: [...downloadBlocks(letter, order), ...licenseKeyBlocks(letter, order), ...orderLink(letter, order)],
  }),
  {
    status: "completed",
    downloads: [
      {
        name: "Field Recordings, Volume 3: Harbours at Night",
        units: 1,
        limit: 5,
        expiresAt: Date.UTC(2030, 1, 28, 12),
        inAccount: true,
      },
      { name: "Halftone Brushes", units: 2, limit: null, expiresAt: null, inAccount: true },
    ],
  },
);

const downloadBlocks = (letter: Letter, { downloads }: OrderContent): Block[] =>
  downloads.length === 0
    ? []
    : [
        letter.say(
          downloads.some(({ inAccount }) => inAccount)
            ? "Sign in to your account to get them."
            : "Open your order to get them.",
        ),
        {
          lines: downloads.map(({ name, units, ...rights }) => ({
            text: `${units} × ${name}`,
            detail: allowed(letter, rights),
          })),
        },
      ];

const licenseKeyBlocks = ({ money }: Letter, { licenseKeys, currency }: OrderContent): Block[] =>
  licenseKeys.length === 0
    ? []
    : [
        {
          lines: licenseKeys.map(({ name, key, value }) => ({
            text: key,
            detail: value === null ? name : `${name}: ${money(value, currency)}`,
          })),
        },
      ];

const allowed = (
  { say, moment }: Letter,
  { limit, expiresAt }: Pick<OrderContent["downloads"][number], "limit" | "expiresAt">,
): string =>
  [
    limit !== null && say("{limit} downloads", { limit: String(limit) }),
    expiresAt !== null && say("until {date}", { date: moment(expiresAt) }),
  ]
    .filter(Boolean)
    .join(", ");

export const downloadTemplates = {
  downloads_ready: downloadsReady,
};
