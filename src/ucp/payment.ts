import type { Quote } from "../checkout/orders/create/quote.ts";
import type { OrderRow } from "../checkout/orders/schemas.ts";
import { payByTestCard, testOutcomes } from "../checkout/payments/test-payments.ts";
import { type PaymentMethod, paymentMethods } from "../domain/payment-methods.ts";
import { type Message, UCP_VERSION, type UcpContext } from "./protocol.ts";
import type { CompleteCheckout } from "./requests.ts";

/** The only method that needs no person, because its payments move no money. */
export const UNATTENDED = "test_card";

/**
 * The payment methods that the shop offers to guests, under a name derived from the shop's own host. All except test
 * payments are completed by the buyer on the page of `continue_url`.
 */
export function paymentHandlers(options: Quote["payment_options"], origin: string) {
  const name = `${reversedHost(origin)}.payments`;
  const handlers = options
    .filter(({ guests }) => guests)
    .map(({ method, label, instructions }) => ({
      id: method,
      name,
      version: UCP_VERSION,
      available_instruments: [{ type: method === UNATTENDED ? "card" : method }],
      config: { label, buyer_action: method !== UNATTENDED, ...(instructions !== "" && { instructions }) },
    }));
  return handlers.length === 0 ? {} : { [name]: handlers };
}

/** `https://my-shop.example` as `example.my_shop`. Each part begins with a letter, as the protocol requires. */
const reversedHost = (origin: string): string =>
  new URL(origin).hostname
    .split(".")
    .toReversed()
    .map((part, place) => part.replaceAll(/[^a-z0-9]/g, place === 0 ? "" : "_").replace(/^(?![a-z])/, "x"))
    .join(".");

/** The selected instrument of a request, by its payment method. */
export function chosenPayment({ payment: { instruments } }: CompleteCheckout) {
  const instrument = instruments.find(({ selected }) => selected) ?? instruments[0];
  const method: PaymentMethod | undefined = paymentMethods.find((name) => name === instrument?.handler_id);
  return { method, token: instrument?.credential?.token };
}

export const paymentMissing: Message = {
  type: "error",
  code: "missing",
  path: "$.payment.instruments",
  content: "Select a payment instrument of one of the payment handlers",
  severity: "recoverable",
};

export const testCardFailed: Message = {
  type: "error",
  code: "payment_failed",
  path: "$.payment.instruments[0]",
  content: "The payment failed, and nothing was charged. Complete the checkout again",
  severity: "recoverable",
};

/** True for the token of a test card that is declined. No order is placed for it. */
export const isDeclined = (token: string | undefined): boolean => token === "fail";

/** Pays a waiting order with a test card. The token of its credential chooses the outcome, and success is the default. */
export async function payUnattended(ctx: UcpContext, order: OrderRow, token: string | undefined): Promise<void> {
  const { paymentProvider, paymentReference: reference } = order;
  if (paymentProvider !== "test" || reference === null || isDeclined(token)) return;
  const outcome = testOutcomes.find((name) => name === token) ?? "succeed";
  const { db, settings, author } = ctx;
  await payByTestCard({ db, settings, requestId: author.requestId }, { reference, outcome });
}
