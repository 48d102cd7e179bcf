import { guessingBy } from "../checkout/orders/create/guesses.ts";
import type { Quote } from "../checkout/orders/create/quote.ts";
import { type QuotedSession, quoteSession } from "../checkout/orders/sessions/complete.ts";
import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import type { FieldError } from "../domain/errors.ts";
import { MAX_QUANTITY } from "../domain/fields.ts";
import { toMinor } from "../domain/money.ts";
import { isProductId } from "./catalog.ts";
import { addressPath, OPTION_PATH } from "./fulfillment.ts";
import { IDENTITY_LINKING } from "./mapping.ts";
import {
  type ErrorAnswer,
  errorAnswer,
  errorMessage,
  extendsWith,
  type Message,
  type UcpContext,
  warning,
} from "./protocol.ts";
import type { CreateCheckout, UpdateCheckout } from "./requests.ts";
import { linesOfQuote, totalsOf } from "./totals.ts";

// Parts that carts and checkouts share.

export const NOTHING: SessionContent = {
  items: [],
  buyer: {},
  shipping_method: null,
  discount_codes: [],
  payment_method: null,
};

type SessionRequest = Pick<CreateCheckout, "line_items" | "buyer" | "context" | "discounts">;

/** Applies a request to a session. Fields of the request replace the session's. */
export function contentAfter(before: SessionContent, sent: SessionRequest): SessionContent {
  const { line_items, discounts, context } = sent;
  const place = context && {
    country: context.address_country,
    region: context.address_region,
    zip: context.postal_code,
  };
  return {
    ...before,
    ...(line_items && { items: linesAfter(before.items, line_items) }),
    ...(place && { place }),
    ...(discounts?.codes && { discount_codes: discounts.codes }),
    ...buyerContent(sent),
  };
}

type LineRequests = NonNullable<SessionRequest["line_items"]>;

/** Lines keep their ids, by the id that is sent or else by the item. An id says nothing of the line's place. */
function linesAfter(before: SessionContent["items"], sent: LineRequests): SessionContent["items"] {
  const left = [...before];
  const take = (isIt: (line: SessionContent["items"][number]) => boolean) => {
    const at = left.findIndex(isIt);
    return at < 0 ? undefined : left.splice(at, 1)[0]?.id;
  };
  const named = sent.map((line) => take(({ id }) => id === line.id));
  return sent.map(({ item, quantity }, place) => {
    const product_id = productIdOf(item.id);
    const id = named[place] ?? take((line) => line.product_id === product_id) ?? `li_${crypto.randomUUID().slice(-12)}`;
    return {
      id,
      product_id,
      quantity: Math.min(quantity, MAX_QUANTITY),
      sent: product_id === UNKNOWN ? item.id : undefined,
    };
  });
}

/** An id that no product has. */
const UNKNOWN = 0;

const productIdOf = (id: string): number => (isProductId(id) ? Number(id) : UNKNOWN);

/** Quantities above the shop's limit for a line, which are lowered to it. */
export const adjustedQuantities = ({ line_items = [] }: SessionRequest): Message[] =>
  line_items.flatMap(({ quantity }, index) => {
    const content = `A line can have at most ${MAX_QUANTITY} units`;
    const path = `$.line_items[${index}].quantity`;
    return quantity > MAX_QUANTITY ? [warning("quantity_adjusted", content, { path })] : [];
  });

/** Quotes a session according to a request. Unknown discount codes count as guesses of the agent's address. */
export function quoteSent(
  ctx: UcpContext,
  content: SessionContent,
  { discounts }: SessionRequest,
): Promise<QuotedSession> {
  const { env, author, agent } = ctx;
  const who = author.address === null ? { account: agent.owner } : { address: author.address };
  return guessingBy(
    { env, by: ["shared-discount-codes", who], later: (work) => work },
    discounts?.codes ?? [],
    () => quoteSession(ctx, content, content.payment_method),
    ({ rejectedCodes }) => rejectedCodes,
  );
}

/** The reasons why nothing in a session can be bought. Undefined if anything can. */
export function nothingToBuy(ctx: UcpContext, quoted: QuotedSession): ErrorAnswer | undefined {
  const wrong = quoted.problems.filter(isOfItem);
  if (new Set(wrong.map(({ field }) => field.split(".")[1])).size < quoted.quote.items.length) return undefined;
  const messages = wrong.map((problem) => ({ ...problemMessage(problem), severity: "unrecoverable" }) as Message);
  return errorAnswer(ctx, [...messages, ...identityHint(ctx, quoted)]);
}

/** Tells an agent that can link identities that the shopper's token would let it order everything. */
const identityHint = ({ userId, capabilities }: UcpContext, { problems }: QuotedSession): Message[] =>
  userId === null && capabilities.has(IDENTITY_LINKING) && problems.some(({ code }) => code === "account_required")
    ? [
        {
          type: "info",
          code: "identity_optional",
          content: "The shopper can connect their account, to pay with its wallet",
        },
      ]
    : [];

/** The response fields shared by carts and checkouts. */
export function sessionMembers(ctx: UcpContext, content: SessionContent, { quote }: QuotedSession) {
  return {
    line_items: linesOfQuote(quote, content.items),
    ...buyerOfSession(ctx, content),
    currency: quote.currency,
    totals: totalsOf(quote),
    ...(extendsWith(ctx.capabilities, "discount") && {
      discounts: discountsOfSession(content.discount_codes, quote),
    }),
  };
}

/** Warnings and hints in a session's response. */
export const warningsOf = (ctx: UcpContext, quoted: QuotedSession): Message[] => [
  ...quoted.rejectedCodes.map(rejectedCode),
  ...quoted.quote.warnings.map(({ code, message }) => warning(code, message)),
  ...identityHint(ctx, quoted),
];

/** Messages of a response. The field is left out if there are none. */
export const messagesMember = (messages: Message[]) => (messages.length > 0 ? { messages } : {});

/** The buyer of a session and their consents, from a request that contains them. */
function buyerContent({ buyer }: Pick<UpdateCheckout, "buyer">): Partial<SessionContent> {
  if (!buyer) return {};
  const { phone_number: phone, consent, ...rest } = buyer;
  return { buyer: { ...rest, phone }, consent };
}

function buyerOfSession({ mapping }: UcpContext, { buyer, consent }: SessionContent) {
  const { phone, ...rest } = buyer;
  const shown = {
    ...rest,
    ...(phone !== undefined && { phone_number: phone }),
    ...(consent && { consent: mapping.consents(consent) }),
  };
  return Object.keys(shown).length > 0 ? { buyer: shown } : {};
}

/** The codes as sent, and the discounts that apply, with and without codes. */
const discountsOfSession = (codes: readonly string[], { discounts }: Quote) => ({
  codes,
  applied: discounts.map(({ code, name, amount, item_amounts }) => ({
    ...(code === null ? { automatic: true } : { code }),
    title: name,
    amount: toMinor(amount),
    allocations: allocationsOf(
      toMinor(amount),
      item_amounts.map((off) => toMinor(off)),
    ),
  })),
});

/** Where a discount's amount was taken off: at lines, and the rest at shipping. */
function allocationsOf(whole: number, ofItems: readonly number[]) {
  const rest = whole - ofItems.reduce((sum, amount) => sum + amount, 0);
  const lines = ofItems.map((amount, index) => ({ path: `$.line_items[${index}]`, amount }));
  return [...lines, { path: "$.totals.shipping", amount: rest }].filter(({ amount }) => amount > 0);
}

const DISCOUNT_CODES: Record<string, string> = {
  unknown_discount_code: "discount_code_invalid",
  discount_not_applicable: "discount_code_user_ineligible",
  discount_used_up: "discount_code_expired",
};

/** Codes that do not apply are warnings, because the order can be placed without them. */
const rejectedCode = ({ field, code, message }: FieldError): Message =>
  warning(DISCOUNT_CODES[code] ?? "discount_code_invalid", `The discount code ${message}`, {
    path: `$.discounts.codes[${field.split(".")[1]}]`,
  });

/** The protocol's codes for the shop's own, if it has one. Others are passed on. */
const PROBLEM_CODES: Record<string, string> = {
  required: "missing",
  insufficient_stock: "out_of_stock",
  not_for_sale: "not_found",
  choose_variant: "item_unavailable",
  shipping_unavailable: "address_undeliverable",
  no_shipping_method: "address_undeliverable",
};

/** A problem of an order as a message that the agent can act on. */
export function problemMessage({ field, code: own, message }: FieldError): Message {
  const isOfMethod = field === "payment_method" && own === "account_required";
  const code = isOfMethod ? "method_not_offered" : (PROBLEM_CODES[own] ?? own);
  // The shop's own sentence names a product by the id that it stands for, which no agent sent.
  const content = own === "not_for_sale" ? "The item is not for sale" : sentence(field, message);
  return errorMessage(code, content, { path: pathOf(field) });
}

/** A message about a field has no subject, so it is turned into a sentence. Others already are sentences. */
function sentence(field: string, message: string): string {
  const [name = ""] = field.split(".").slice(-1);
  const subject = /^(is|must|needs|has|cannot|belongs|does|requires) ?/.test(message)
    ? `${SUBJECTS[name] ?? name} `
    : "";
  const text = subject + message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SUBJECTS: Record<string, string> = {
  product_id: "the item",
  shipping_address: "the shipping address",
  shipping_method: "the shipping option",
  zip: "the postal code",
  address: "the street address",
  name: "the buyer's name",
  email: "the buyer's e-mail address",
};

function pathOf(field: string): string {
  const [first, index, part] = field.split(".");
  if (first === "items") return `$.line_items[${index}].${part === "quantity" ? "quantity" : "item.id"}`;
  if (first === "customer") return index === "email" ? "$.buyer.email" : "$.buyer.first_name";
  if (first === "shipping_address") return addressPath(field);
  if (first === "shipping_method") return OPTION_PATH;
  if (first === "payment_method") return "$.payment.instruments[0].handler_id";
  return "$";
}

export const isOfItem = ({ field }: FieldError): boolean => field.startsWith("items.");
