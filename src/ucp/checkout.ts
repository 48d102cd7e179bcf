import type { OrderRow } from "../checkout/orders/schemas.ts";
import {
  orderOfSession,
  placeSession,
  type QuotedSession,
  quoteSession,
} from "../checkout/orders/sessions/complete.ts";
import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import {
  type CheckoutSessionRow,
  changeSession,
  findSession,
  insertSession,
  sessionContentOf,
} from "../checkout/orders/sessions/sessions.ts";
import { PaymentDeclined } from "../checkout/payments/provider.ts";
import { ApiError } from "../domain/errors.ts";
import { iso } from "../domain/fields.ts";
import { formatMoney, toMinor } from "../domain/money.ts";
import { findCartSession } from "./cart.ts";
import { fulfillmentContent, fulfillmentOfSession, unknownDestination } from "./fulfillment.ts";
import { sessionForShopper } from "./identity.ts";
import { webhookOf } from "./order.ts";
import {
  canPayUnattended,
  chosenPayment,
  declinedPayment,
  isDeclined,
  isUnattended,
  optionsOfBuyer,
  paymentHandlers,
  paymentMissing,
  payUnattended,
  TEST_CARD,
} from "./payment.ts";
import { continueUrl, linkMembers, placedCheckout, type Status } from "./placed-checkout.ts";
import {
  errorMessage,
  extendsWith,
  type Message,
  type UcpContext,
  UcpError,
  ucpOf,
  unknownResource,
} from "./protocol.ts";
import type { CompleteCheckout, CreateCheckout, UpdateCheckout } from "./requests.ts";
import {
  adjustedQuantities,
  contentAfter,
  messagesMember,
  NOTHING,
  nothingToBuy,
  problemMessage,
  quoteSent,
  sessionMembers,
  warningsOf,
} from "./session.ts";

const unknownCheckout = (ctx: UcpContext) => unknownResource(ctx, "The checkout session");

const findCheckout = async (ctx: UcpContext, token: string) =>
  sessionForShopper(ctx, "checkout", await findSession(ctx, { kind: "checkout", token, agent: ctx.agent.owner }));

/**
 * `create_checkout`. A cart's content takes precedence over the request's, and a cart has one open checkout at a time.
 */
export async function createCheckout(ctx: UcpContext, { cart_id, ...sent }: CreateCheckout): Promise<object> {
  const cart = cart_id === undefined ? undefined : await findCartSession(ctx, cart_id);
  if (cart_id !== undefined && !cart) return unknownResource(ctx, "The cart");
  const { checkout: token, ...before } = cart ? sessionContentOf(cart) : contentAfter(NOTHING, sent);
  const known = token === undefined ? undefined : await findCheckout(ctx, token);
  if (known?.status === "open") return currentCheckout(ctx, known);
  const content = checkoutAfter(ctx, before, sent);
  const quoted = await quoteSent(ctx, content, sent);
  const nothing = nothingToBuy(ctx, quoted);
  if (nothing) return nothing;
  const session = {
    kind: "checkout" as const,
    agent: ctx.agent.owner,
    content,
    ...shownBy(quoted),
    webhookUrl: webhookOf(ctx.agent),
  };
  const row = await insertSession(ctx, session, cart).catch((error: unknown) => {
    if (cart && error instanceof ApiError && error.code === "changed_meanwhile") return null;
    throw error;
  });
  // The cart became a checkout, or changed, at the same time.
  if (!row) return createCheckout(ctx, { cart_id, ...sent });
  return shownCheckout(ctx, row, quoted, cart ? [] : adjustedQuantities(sent));
}

/** `get_checkout` */
export async function getCheckout(ctx: UcpContext, id: string) {
  const row = await findCheckout(ctx, id);
  return row ? currentCheckout(ctx, row) : unknownCheckout(ctx);
}

/** `update_checkout`. Fields of the request replace the session's. */
export async function updateCheckout(ctx: UcpContext, id: string, sent: UpdateCheckout) {
  const row = await findCheckout(ctx, id);
  if (!row) return unknownCheckout(ctx);
  if (row.status !== "open") throw closed(row);
  const before = sessionContentOf(row);
  const unknown = unknownDestination(ctx, before, sent.fulfillment);
  if (unknown.length > 0)
    return shownCheckout(ctx, row, await quoteSession(ctx, before, before.payment_method), unknown);
  const content = checkoutAfter(ctx, contentAfter(before, sent), sent);
  const quoted = await quoteSent(ctx, content, sent);
  const changed = await changeSession(ctx, row, { content, ...shownBy(quoted) });
  return shownCheckout(ctx, changed, quoted, adjustedQuantities(sent));
}

/** `cancel_checkout` */
export async function cancelCheckout(ctx: UcpContext, id: string) {
  const row = await findCheckout(ctx, id);
  if (!row) return unknownCheckout(ctx);
  if (row.status !== "open") throw closed(row);
  return currentCheckout(ctx, await changeSession(ctx, row, { status: "canceled" }));
}

/**
 * `complete_checkout`. Places the order at the total that the agent saw, once per session, and pays it if no person is
 * required. A changed total and changed terms are reported in messages, and nothing is charged.
 */
export async function completeCheckout(ctx: UcpContext, id: string, sent: CompleteCheckout) {
  const row = await findCheckout(ctx, id);
  if (!row) return unknownCheckout(ctx);
  const { method, token, isByToken, isByBuyer } = chosenPayment(ctx, sent);
  if (row.status === "placed") {
    const order = await orderOfSession(ctx, row);
    return order ? paidCheckout(ctx, row, order, method && !isByBuyer ? { token } : null) : unknownCheckout(ctx);
  }
  if (row.status === "canceled") throw closed(row);
  const content = sessionContentOf(row);
  const quoted = await quoteSession(ctx, content, method ?? null);
  const total = toMinor(quoted.quote.total);
  if (quoted.problems.length > 0) return shownCheckout(ctx, row, quoted);
  const changes = changesSince(row, quoted);
  if (changes.length > 0) return shownCheckout(ctx, await changeSession(ctx, row, shownBy(quoted)), quoted, changes);
  if (total > 0 && method === undefined) return shownCheckout(ctx, row, quoted, [paymentMissing]);
  if (total > 0 && method !== undefined && isByBuyer) {
    const changed = await changeSession(ctx, row, { content: { ...content, payment_method: method } });
    return shownCheckout(ctx, changed, quoted);
  }
  if (total > 0 && !isByToken && isDeclined(token)) return shownCheckout(ctx, row, quoted, [declinedPayment]);
  // Only one of several simultaneous requests reserves money. The new version names its attempt.
  const claimed = isByToken ? await changeSession(ctx, row, { shownTotal: total }) : row;
  const requestId = `${row.reference}-${claimed.updatedAt}`;
  const terms = {
    method: method ?? TEST_CARD,
    expectedTotal: total,
    rejectedCodes: quoted.rejectedCodes,
    // The platform shows the links of a checkout, so its buyer saw these terms.
    acceptedTerms: row.shownTerms ?? undefined,
    charge: isByToken && token !== undefined ? { token, requestId } : undefined,
  };
  try {
    const order = await placeSession(ctx, claimed, terms);
    return await paidCheckout(ctx, claimed, order, { token });
  } catch (error) {
    if (error instanceof PaymentDeclined) return shownCheckout(ctx, claimed, quoted, [declinedPayment]);
    if (!(error instanceof ApiError) || error.status >= 429) throw error;
    const messages =
      error.fields.length > 0 ? error.fields.map(problemMessage) : [errorMessage(error.code, error.message)];
    return shownCheckout(ctx, claimed, await quoteSession(ctx, content, method ?? null), messages);
  }
}

/** The delivery and payment chosen in a request. */
function checkoutAfter(
  ctx: UcpContext,
  before: SessionContent,
  { fulfillment, payment }: Pick<UpdateCheckout, "fulfillment" | "payment">,
): SessionContent {
  const paid = payment && chosenPayment(ctx, { payment });
  return {
    ...before,
    ...(fulfillment && fulfillmentContent(ctx, before, fulfillment)),
    ...(paid && { payment_method: paid.isByToken ? null : (paid.method ?? null) }),
  };
}

/** The current state of a session, whatever its outcome. */
async function currentCheckout(ctx: UcpContext, row: CheckoutSessionRow) {
  const order = await orderOfSession(ctx, row);
  if (order) return placedCheckout(ctx, row, order);
  const content = sessionContentOf(row);
  return shownCheckout(ctx, row, await quoteSession(ctx, content, content.payment_method));
}

/** A session without an order. */
function shownCheckout(ctx: UcpContext, row: CheckoutSessionRow, quoted: QuotedSession, more: Message[] = []) {
  const content = sessionContentOf(row);
  const { quote } = quoted;
  const isCanceled = row.status === "canceled";
  const problems = isCanceled ? [] : [...more, ...problemsOf(ctx, quoted)];
  const messages = isCanceled || problems.some(isBlocking) ? problems : [...problems, ...byBuyer(ctx, content, quoted)];
  return {
    ucp: {
      ...ucpOf(ctx, "checkout"),
      payment_handlers: paymentHandlers(ctx, quote.payment_options),
    },
    id: row.token,
    status: isCanceled ? ("canceled" as const) : statusOf(messages.filter(isBlocking)),
    ...sessionMembers(ctx, content, quoted),
    ...(extendsWith(ctx.capabilities, "fulfillment") && fulfillmentOfSession(ctx, content, quote)),
    ...messagesMember(isCanceled ? [] : [...messages, ...warningsOf(ctx, quoted)]),
    ...linkMembers(ctx, quoted.pages),
    expires_at: iso(row.expiresAt),
    ...(!isCanceled && { continue_url: continueUrl(ctx, row) }),
  };
}

/** A declined payment prevents nothing: the session can be completed again. */
const isBlocking = ({ type, code }: Message): boolean => type === "error" && code !== declinedPayment.code;

/** Problems of a session. An agent that cannot handle delivery leaves the address to the buyer. */
function problemsOf(ctx: UcpContext, quoted: QuotedSession): Message[] {
  const canDeliver = extendsWith(ctx.capabilities, "fulfillment");
  return quoted.problems.map((problem) => {
    const message = problemMessage(problem);
    const isOfDelivery = !canDeliver && problem.field.startsWith("shipping_");
    return isOfDelivery && message.type === "error" ? { ...message, severity: "requires_buyer_input" } : message;
  });
}

/** The problem of payment, if it is the only one and a person has to pay. */
function byBuyer(ctx: UcpContext, { payment_method: chosen }: SessionContent, { quote }: QuotedSession): Message[] {
  const methods = optionsOfBuyer(ctx, quote.payment_options).map(({ method }) => method);
  if (quote.total === 0 || (canPayUnattended(ctx, methods) && isUnattended(chosen ?? TEST_CARD))) return [];
  const path = "$.payment.instruments";
  if (methods.length === 0) {
    const content = "The shop has no payment method for this order";
    return [errorMessage("payment_unavailable", content, { path, severity: "unrecoverable" })];
  }
  const content = "The buyer confirms and pays the order on the page of continue_url";
  return [errorMessage("buyer_payment_required", content, { path, severity: "requires_buyer_input" })];
}

function statusOf(errors: readonly Message[]): Status {
  if (errors.length === 0) return "ready_for_complete";
  const isForBuyer = errors.every((error) => error.type === "error" && error.severity.startsWith("requires_"));
  return isForBuyer ? "requires_escalation" : "incomplete";
}

/** Pays an order that waits for a test card, and shows the result. */
async function paidCheckout(
  ctx: UcpContext,
  row: CheckoutSessionRow,
  order: OrderRow,
  by: { token: string | undefined } | null,
) {
  if (by && order.status === "pending") await payUnattended(ctx, order, by.token);
  const paid = await orderOfSession(ctx, { ...row, orderId: order.id });
  return placedCheckout(ctx, row, paid ?? order);
}

/**
 * The specification asks for an error: "If the checkout session cannot be canceled (e.g. checkout session is already
 * canceled or completed), then businesses SHOULD send back an error indicating the operation is not allowed"
 * (specification/checkout, Cancel Checkout).
 */
const closed = ({ status }: CheckoutSessionRow): UcpError =>
  new UcpError(
    "session_closed",
    status === "placed" ? "The checkout is an order and cannot change" : "The checkout was canceled",
  );

/** The facts that a buyer agrees to, as an answer shows them. */
const shownBy = ({ quote }: QuotedSession) => ({
  shownTotal: toMinor(quote.total),
  shownTerms: quote.terms?.version ?? null,
});

/** A message for each of these facts that differs from the last answer. */
function changesSince(row: CheckoutSessionRow, quoted: QuotedSession): Message[] {
  const { shownTotal, shownTerms } = shownBy(quoted);
  const total = formatMoney(shownTotal, quoted.quote.currency);
  return [
    ...(shownTotal === row.shownTotal ? [] : [changeMessage("total_changed", "$.totals", `The total is now ${total}`)]),
    ...(shownTerms === row.shownTerms ? [] : [changeMessage("terms_changed", "$.links", "The terms have changed")]),
  ];
}

const changeMessage = (code: string, path: string, what: string): Message =>
  errorMessage(code, `${what}. Nothing was charged. Show the buyer this answer and complete again`, { path });
