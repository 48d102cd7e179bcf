import * as z from "zod";
import { formatLongMoment } from "../../../domain/time.ts";
import { pauseReasons } from "../../../platform/db/schema.ts";
import { linkTo, template } from "../../../platform/email/template.ts";

/** Products with low or no stock. `others` is the number not listed. */
const lowStock = template({
  page: null,
  params: z.object({
    products: z.array(z.object({ name: z.string(), sku: z.string(), left: z.int() })),
    others: z.int(),
  }),
  sample: {
    products: [
      { name: "Waxed Canvas Satchel", sku: "CAR-403", left: 0 },
      { name: "Pocket Notebook, ruled", sku: "PAP-112", left: 4 },
    ],
    others: 0,
  },
  content: ({ shop, panelUrl }, { products, others }) => ({
    subject: `Low stock at ${shop}`,
    blocks: [
      "These products have run low or sold out since the last stock e-mail:",
      {
        lines: products.map(({ name, sku, left }) => ({
          text: `${name} (${sku})`,
          amount: left > 0 ? `${left} left` : "sold out",
        })),
      },
      ...(others > 0 ? [`And ${others} more.`] : []),
      ...linkTo("View stock", panelUrl("/products?low_stock=true&sort=stock")),
    ],
  }),
});

const titlesOf = {
  new_order: { one: "New order", many: "New orders" },
  return_requested: { one: "Return requested for order", many: "Requested returns" },
  payment_failed: { one: "Payment failed for order", many: "Failed payments" },
};
type NotifiedKind = keyof typeof titlesOf;

/** A new order, a requested return or a failed payment, or the daily summary of these. `count` includes those that are not listed. */
const staffNotification = template({
  page: null,
  params: z.object({
    notifications: z.array(
      z.object({
        kind: z.enum(["new_order", "return_requested", "payment_failed"]),
        id: z.int(),
        number: z.string(),
        total: z.int(),
        currency: z.string(),
      }),
    ),
    count: z.int(),
  }),
  sample: { notifications: [{ kind: "new_order", id: 1, number: "#1001", total: 4900, currency: "USD" }], count: 1 },
  content({ shop, panelUrl, money }, { notifications, count }) {
    const [first] = notifications;
    const amountOf = ({ total, currency }: (typeof notifications)[number]) => money(total, currency);
    if (count === 1 && first) {
      return {
        subject: `${titlesOf[first.kind].one} ${first.number} at ${shop}`,
        blocks: [
          { facts: { Order: first.number, Total: amountOf(first) } },
          ...linkTo("View order", panelUrl(`/orders/${first.id}`)),
        ],
      };
    }
    const kinds = [...Map.groupBy(notifications, ({ kind }): NotifiedKind => kind)];
    return {
      subject: `Daily summary of ${shop}`,
      blocks: [
        ...kinds.flatMap(([kind, told]) => [
          `${titlesOf[kind].many}:`,
          { lines: told.map((one) => ({ text: one.number, amount: amountOf(one) })) },
        ]),
        ...(count > notifications.length ? [`And ${count - notifications.length} more.`] : []),
        ...linkTo("View orders", panelUrl("/orders")),
      ],
    };
  },
});

const apiKeyExpiring = template({
  page: null,
  params: z.object({ id: z.int(), name: z.string(), expiresAt: z.string() }),
  sample: { id: 3, name: "Shop window", expiresAt: "2030-02-07T12:00:00.000Z" },
  content: ({ shop, panelUrl }, { id, name, expiresAt }) => ({
    subject: `An API key of ${shop} expires soon`,
    blocks: [
      "This API key stops working within a week, and so does everything that uses it:",
      { facts: { Key: name, Expires: formatLongMoment(Date.parse(expiresAt)) } },
      "Extend its expiry, or rotate it and give the new value to everyone who uses it.",
      ...linkTo("View key", panelUrl(`/api-keys/${id}`)),
    ],
  }),
});

const apiKeyUnused = template({
  page: null,
  params: z.object({ id: z.int(), name: z.string(), lastUsedAt: z.string().nullable() }),
  sample: { id: 3, name: "Shop window", lastUsedAt: "2030-02-07T12:00:00.000Z" },
  content: ({ shop, panelUrl }, { id, name, lastUsedAt }) => ({
    subject: `An API key of ${shop} is unused`,
    blocks: [
      "This API key has not been used for 90 days. If nobody needs it, revoke it, so that nobody else can use it:",
      { facts: { Key: name, "Last used": lastUsedAt === null ? "never" : formatLongMoment(Date.parse(lastUsedAt)) } },
      ...linkTo("View key", panelUrl(`/api-keys/${id}`)),
    ],
  }),
});

const operationDeprecated = template({
  page: null,
  params: z.object({ operation: z.string(), sunset: z.string(), see: z.string(), keys: z.array(z.string()) }),
  sample: {
    operation: "GET /api/v1/user/files",
    sunset: "2030-06-01",
    see: "https://shop.example/docs/changes",
    keys: ["Shop window", "ERP"],
  },
  content: ({ shop }, { operation, sunset, see, keys }) => ({
    subject: `API keys of ${shop} use an operation that will end`,
    blocks: [
      "These API keys still use an operation that stops working on the day below:",
      { facts: { Operation: operation, Ends: sunset, Keys: keys.join(", ") } },
      { link: "What to use instead", to: see },
    ],
  }),
});

const staffInvitation = template({
  page: "invitation",
  params: z.strictObject({ role: z.string(), about: z.string() }),
  sample: { role: "Support", about: "Manages orders and customers, and issues refunds up to the shop's limit." },
  content: ({ shop }, { role, about }) => ({
    subject: `Join the staff of ${shop}`,
    blocks: [
      `You are invited to help run ${shop}.`,
      { facts: { Role: role, "What you can do": about } },
      { link: "Accept the invitation" },
      "The link works once and expires in 72 hours. Only the newest link works.",
      "If you did not expect this, ignore this e-mail. Nothing happens unless the link is opened.",
    ],
  }),
});

/** The account that gets the shop's money was connected, replaced or disconnected. */
const paymentAccountChanged = template({
  page: null,
  params: z
    .strictObject({ provider: z.string(), account: z.string(), live: z.boolean() })
    .partial({ account: true, live: true }),
  sample: { provider: "Stripe", account: "Example Shop", live: true },
  content: ({ shop, panelUrl }, { provider, account, live }) => ({
    subject: `The ${provider} account of ${shop} was changed`,
    blocks: [
      ...(account === undefined
        ? [`${provider} was disconnected. Checkouts no longer offer it.`]
        : [
            `Payments by ${provider} now go to this account:`,
            { facts: { Account: account, Mode: live ? "Live" : "Test: no money moves" } },
          ]),
      "If none of you did this, change your passwords and connect your own account again. The audit log shows who did it.",
      ...linkTo("View payments", panelUrl("/payments")),
    ],
  }),
});

const why = {
  failing: "All deliveries of the last five days have failed.",
  gone: "It answered 410 Gone.",
};

const webhookPaused = template({
  page: null,
  params: z.strictObject({ url: z.string(), reason: z.enum(pauseReasons) }),
  sample: { url: "https://example.com/webhooks", reason: "failing" },
  content: ({ shop }, { url, reason }) => ({
    subject: `A webhook of ${shop} was paused`,
    blocks: [
      "This webhook no longer receives events:",
      { facts: { Address: url } },
      why[reason],
      "Events are kept for 30 days. Enable the webhook in the panel, and it receives everything it missed.",
    ],
  }),
});

const AlertText = z.object({ title: z.string(), summary: z.string(), remedy: z.string() });

/** Alerts that were raised, are still open after a day, or have ended. */
const healthAlert = template({
  page: null,
  params: z.object({ raised: z.array(AlertText), open: z.array(AlertText), resolved: z.array(AlertText) }),
  sample: {
    raised: [
      {
        title: "Stuck queue: Refunds to send",
        summary: "12 refunds wait, the oldest for 45 minutes.",
        remedy: "Check the payment provider's status and that its secrets are set.",
      },
    ],
    open: [],
    resolved: [],
  },
  content: ({ shop, panelUrl }, { raised, open, resolved }) => ({
    subject: alertSubject(shop, { raised, open, resolved }),
    blocks: [
      ...raised.flatMap(({ title, summary, remedy }) => [{ facts: { Alert: title } }, summary, remedy]),
      ...open.flatMap(({ title, summary, remedy }) => [{ facts: { "Still open": title } }, summary, remedy]),
      ...resolved.flatMap(({ title }) => [{ facts: { Resolved: title } }, "You do not need to do anything."]),
      ...linkTo("Open Health", panelUrl("/health")),
    ],
  }),
});

type AlertTexts = Record<"raised" | "open" | "resolved", z.output<typeof AlertText>[]>;

function alertSubject(shop: string, { raised, open, resolved }: AlertTexts): string {
  const [word, [first, ...others]] =
    raised.length > 0 ? ["Alert", raised] : open.length > 0 ? ["Still open", open] : ["Resolved", resolved];
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return `${word} at ${shop}: ${first?.title ?? ""}${more}`;
}

export const staffTemplates = {
  staff_notifications: staffNotification,
  low_stock: lowStock,
  api_key_expiring: apiKeyExpiring,
  api_key_unused: apiKeyUnused,
  operation_deprecated: operationDeprecated,
  webhook_paused: webhookPaused,
  payment_account_changed: paymentAccountChanged,
  health_alert: healthAlert,
  staff_invitation: staffInvitation,
};
