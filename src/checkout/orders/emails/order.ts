import * as z from "zod";
import { inWidth } from "../../../catalogue/images/public.ts";
import { describeOptions, OptionValues } from "../../../domain/option-values.ts";
import { isPaidManually, paymentMethods } from "../../../domain/payment-methods.ts";
import { includedTax, totalLines } from "../../../domain/total-lines.ts";
import { fulfillmentStatuses, invoiceTypes, orderStatuses } from "../../../platform/db/schema.ts";
import { invoiceTitles, methodNames, type Sentence, type Variables } from "../../../platform/email/messages.ts";
import { type Block, type EmailLine, type Letter, linkTo, template } from "../../../platform/email/template.ts";
import { lineWithdrawals } from "../returns/exemptions.ts";
import { WITHDRAW } from "../returns/period.ts";

const Part = z.string().nullish();

/** Postal addresses were validated before; older ones may lack parts. */
const Address = z.object({
  name: z.string(),
  company: Part,
  address: z.string(),
  address2: Part,
  city: z.string(),
  region: Part,
  zip: z.string().nullable(),
  country: Part,
});

const Item = z.object({ name: z.string(), optionValues: OptionValues, quantity: z.int() });

/** An order in its e-mails, as of sending. Amounts in minor units. */
export const OrderContent = z.object({
  number: z.string(),
  reference: z.string(),
  linkVersion: z.int(),
  status: z.enum(orderStatuses),
  fulfillmentStatus: z.enum(fulfillmentStatuses),
  isGuest: z.boolean(),
  withdrawalDays: z.int().describe("0 if the shop does not offer withdrawal"),
  currency: z.string(),
  subtotal: z.int(),
  discounts: z.array(z.object({ code: z.string().nullable(), name: z.string(), amount: z.int() })),
  shippingMethod: z.object({ name: z.string() }).nullable(),
  shippingTotal: z.int(),
  pricesIncludeTax: z.boolean(),
  taxLines: z.array(z.object({ name: z.string(), rate: z.int(), amount: z.int() })),
  total: z.int(),
  refundedTotal: z.int(),
  refundedTax: z.int(),
  paymentMethod: z.enum(paymentMethods),
  paymentProvider: z.string().nullable(),
  paymentUrl: z.string().nullable(),
  paymentInstructions: z.string().nullable(),
  paidAt: z.int().nullable(),
  expiresAt: z.int().nullable(),
  shippingAddress: Address.nullable(),
  downloadConsent: z.boolean().default(false),
  country: z.string().nullable().describe("Destination country, even if the address does not name it"),
  shipment: z
    .object({
      carrier: z.string(),
      tracking_number: z.string().nullable(),
      tracking_url: z.string().nullable(),
      part: z.enum(["whole", "part", "rest"]),
      items: z.array(Item),
    })
    .nullable()
    .describe("The parcel that the e-mail is about"),
  returned: z
    .object({
      createdAt: z.int(),
      reason: z.string().nullable(),
      withdrawal: z.object({ name: z.string(), email: z.string(), items: z.string().nullable() }).nullable(),
      declineReason: z.string().nullable(),
      instructions: z.string().nullable(),
      labelUrl: z.string().nullable(),
      items: z.array(Item),
    })
    .nullable()
    .describe("The return that the e-mail is about"),
  invoice: z
    .object({ type: z.enum(invoiceTypes), number: z.string() })
    .nullable()
    .default(null)
    .describe("The newest invoice or credit note"),
  legalTexts: z
    .array(z.object({ title: z.string(), markdown: z.string() }))
    .default([])
    .describe("Terms and instructions on withdrawal, in the confirmation"),
  items: z.array(
    Item.extend({
      total: z.int(),
      image: z.string().nullable(),
      withdrawal: z.enum(lineWithdrawals).default("standard"),
    }),
  ),
  downloads: z.array(
    z.object({
      name: z.string(),
      units: z.int(),
      limit: z.int().nullable(),
      expiresAt: z.int().nullable(),
      inAccount: z.boolean(),
    }),
  ),
  /** Staff see the e-mail without the keys. */
  licenseKeys: z.array(
    z.object({
      name: z.string(),
      /** Value of a gift card. Null for a license key. */
      value: z.int().nullable(),
      key: z.string().default("••••-••••-••••-••••-••••-••••"),
    }),
  ),
});
export type OrderContent = z.output<typeof OrderContent>;

export const sampleOrder: z.input<typeof OrderContent> = {
  number: "#1042",
  reference: "K3ZP-9XQ2-41TD",
  linkVersion: 0,
  status: "processing",
  fulfillmentStatus: "unfulfilled",
  isGuest: false,
  withdrawalDays: 14,
  currency: "USD",
  subtotal: 32700,
  discounts: [{ code: "WELCOME", name: "Welcome", amount: 2000 }],
  shippingMethod: { name: "Tracked parcel" },
  shippingTotal: 650,
  pricesIncludeTax: true,
  taxLines: [{ name: "VAT", rate: 200_000, amount: 5225 }],
  total: 31350,
  refundedTotal: 0,
  refundedTax: 0,
  paymentMethod: "credit_card",
  paymentProvider: "stripe",
  paymentUrl: null,
  paymentInstructions: null,
  paidAt: Date.UTC(2030, 0, 31, 12),
  expiresAt: null,
  country: "GB",
  shippingAddress: { name: "Ada Lovelace", address: "12 St James's Square", city: "London", zip: "SW1Y 4JH" },
  shipment: null,
  returned: null,
  items: [
    { name: "Waxed Canvas Satchel", optionValues: [], quantity: 2, total: 29800, image: null },
    {
      name: "Field Recordings, Volume 3: Harbours at Night",
      optionValues: [{ name: "Format", value: "Vinyl" }],
      quantity: 1,
      total: 2900,
      image: null,
    },
  ],
  downloads: [],
  licenseKeys: [],
};

type OrderEmail = { subject: Sentence; introduction: Sentence; variables?: Variables; blocks: Block[] };

/** Declares an e-mail about an order without further parameters. `sample` changes the preview's order. */
export const orderTemplate = (
  content: (letter: Letter, order: OrderContent) => OrderEmail,
  sample: Partial<z.input<typeof OrderContent>> = {},
) =>
  template({
    page: null,
    params: z.object({ order: OrderContent }),
    sample: { order: { ...sampleOrder, ...sample } },
    content: (letter, { order }) => {
      const { variables, ...email } = content(letter, order);
      return { ...email, variables: { ...orderVariables(letter, order), ...variables } };
    },
  });

/** Variables that the texts of every e-mail about an order may contain. */
export const orderVariables = ({ money }: Letter, { number, total, currency }: OrderContent): Variables => ({
  order: number,
  total: money(total, currency),
});

/** An item with its number of units, such as "2 × T-Shirt", and its option values. */
export const itemLine = ({ name, optionValues, quantity }: z.output<typeof Item>): EmailLine => ({
  text: `${quantity} × ${name}`,
  ...(optionValues.length > 0 && { detail: describeOptions(optionValues) }),
});

/** Line items and totals; just the total if nothing else is due. */
export const orderLines = ({ say, list, ...letter }: Letter, order: OrderContent): Block => {
  const money = (minor: number) => letter.money(minor, order.currency);
  const words = { shipping: (method: string) => say("Shipping: {method}", { method }), tax: letter.taxName };
  const parts = totalLines(order, words);
  const before = parts.length === 0 ? [] : [{ text: say("Subtotal"), minor: order.subtotal }, ...parts];
  const included = includedTax(order, words).map(({ text, minor }) => `${money(minor)} ${text}`);
  return {
    lines: order.items.map(({ image, ...item }) => ({
      ...itemLine(item),
      amount: money(item.total),
      image: image && letter.imageUrl(inWidth(image, 160)),
    })),
    totals: [
      ...before.map(({ text, minor }) => ({ text, amount: money(minor) })),
      {
        text: say("Total"),
        amount: money(order.total),
        ...(included.length > 0 && { detail: say("includes {taxes}", { taxes: list(included) }) }),
      },
    ],
  };
};

export const methodOf = ({ say }: Letter, { paymentMethod }: OrderContent): string => say(methodNames[paymentMethod]);

/** The second text with the payment method, or the first if buyer and shop arrange the payment. */
export const byMethod = (letter: Letter, order: OrderContent, [without, by]: [Sentence, Sentence]): string =>
  isPaidManually(order) ? letter.say(without) : letter.say(by, { method: methodOf(letter, order) });

/** Buttons to the page of the order (the shop's if configured, or else, for a guest, the Worker's), to its invoice, and to withdraw from it. */
export const orderLink = (letter: Letter, order: OrderContent): Block[] => [
  ...linkTo(letter.say("View your order"), letter.orderUrl(order)),
  ...invoiceLink(letter, order),
  ...withdrawalLink(letter, order),
];

const invoiceLink = ({ say, invoicesUrl }: Letter, { invoice, ...order }: OrderContent): Block[] =>
  invoice === null ? [] : linkTo(say(invoiceTitles[invoice.type], { number: invoice.number }), invoicesUrl(order));

export const withdrawalLink = ({ say, withdrawalUrl }: Letter, order: OrderContent): Block[] =>
  order.withdrawalDays === 0 || order.status === "cancelled" ? [] : linkTo(say(WITHDRAW), withdrawalUrl(order));

/** Amount in minor units, as of sending. */
const draftSent = template({
  page: "draft",
  params: z.object({
    total: z.int(),
    currency: z.string(),
    items: z.array(z.object({ name: z.string(), quantity: z.int() })),
  }),
  sample: { total: 31350, currency: "USD", items: [{ name: "Waxed Canvas Satchel", quantity: 2 }] },
  content: ({ say, money }, { total, currency, items }) => ({
    subject: "Your order at {shop} is ready to confirm",
    introduction: "{shop} has prepared an order for you.",
    variables: { total: money(total, currency) },
    blocks: [
      {
        lines: items.map(({ name, quantity }) => ({ text: `${quantity} × ${name}` })),
        totals: [{ text: say("Total"), amount: money(total, currency) }],
      },
      { link: say("Review and confirm") },
      say("Nothing is reserved or charged until you confirm. The link works for 30 days."),
    ],
  }),
});

export const draftTemplates = {
  draft_order: draftSent,
};
