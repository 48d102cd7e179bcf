import type { Quote } from "../checkout/orders/create/quote.ts";
import type { OrderRow } from "../checkout/orders/schemas.ts";
import { isLive } from "../checkout/payments/accounts.ts";
import { collectPayment } from "../checkout/payments/authorizations.ts";
import { payByTestCard, testOutcomes } from "../checkout/payments/test-payments.ts";
import { type PaymentMethod, paymentMethods } from "../domain/payment-methods.ts";
import { logFault } from "../platform/http/log.ts";
import { errorMessage, type UcpContext } from "./protocol.ts";
import type { CompleteCheckout } from "./requests.ts";

/** A method that needs no person, because its payments move no money. Orders that cost nothing are placed with it. */
export const TEST_CARD = "test_card";

/** Methods that need no person. A shopper lets an agent pay from their wallet when they connect it. */
const unattended: ReadonlySet<PaymentMethod> = new Set([TEST_CARD, "wallet"]);

export const isUnattended = (method: PaymentMethod): boolean => unattended.has(method);

/** The version of the handlers that are the shop's own, which is independent of the protocol's. */
const HANDLER_VERSION = "2026-04-08";

/** The method that Stripe's shared payment tokens pay by, and the id of their handler. */
const TOKEN_METHOD = "credit_card";
const TOKEN_HANDLER = "stripe_payments";

const tokenProfile = ({ settings }: Pick<UcpContext, "settings">): string | null => settings.stripe?.profileId ?? null;

/** The payment options of the buyer: an account has all, a guest some. */
export const optionsOfBuyer = (
  { userId }: Pick<UcpContext, "userId">,
  options: Quote["payment_options"],
): Quote["payment_options"] => options.filter(({ guests }) => guests || userId !== null);

/** True if an agent can pay by one of these methods without a person. */
export const canPayUnattended = (ctx: UcpContext, methods: readonly PaymentMethod[]): boolean =>
  methods.some(isUnattended) || (methods.includes(TOKEN_METHOD) && tokenProfile(ctx) !== null);

/**
 * The payment methods that the shop offers to the buyer, under a name derived from the shop's own host. All except test
 * payments and wallets are completed by the buyer on the page of `continue_url`. Cards can also be paid by Stripe's own
 * handler.
 */
export function paymentHandlers(
  ctx: Pick<UcpContext, "origin" | "settings" | "userId">,
  options: Quote["payment_options"],
) {
  const name = `${reversedHost(ctx.origin)}.payments`;
  const offered = optionsOfBuyer(ctx, options);
  const handlers = offered.map(({ method, label, instructions }) => ({
    id: method,
    name,
    version: HANDLER_VERSION,
    available_instruments: [{ type: method === TEST_CARD ? "card" : method }],
    config: { label, buyer_action: !isUnattended(method), ...(instructions !== "" && { instructions }) },
  }));
  return {
    ...(handlers.length > 0 && { [name]: handlers }),
    ...(offered.some(({ method }) => method === TOKEN_METHOD) && tokenHandler(ctx)),
  };
}

/** https://docs.stripe.com/agentic-commerce/ucp/stripe-payments-handler */
function tokenHandler(ctx: Pick<UcpContext, "settings">) {
  const [name, business_profile] = ["com.stripe.payments", tokenProfile(ctx)];
  if (business_profile === null) return {};
  return {
    [name]: [
      {
        id: TOKEN_HANDLER,
        name,
        version: "2026-06-25",
        spec: "https://docs.stripe.com/agentic-commerce/ucp/stripe-payments-handler",
        schema: "https://ucp.stripe.com/payments/2026-06-25/schema.json",
        available_instruments: [{ type: "card" }],
        config: {
          environment: ctx.settings.stripe && isLive(ctx.settings.stripe) ? "production" : "sandbox",
          business_profile,
        },
      },
    ],
  };
}

/** `https://my-shop.example` as `example.my_shop`. Each part begins with a letter, as the protocol requires. */
const reversedHost = (origin: string): string =>
  new URL(origin).hostname
    .split(".")
    .toReversed()
    .map((part, place) => part.replaceAll(/[^a-z0-9]/g, place === 0 ? "" : "_").replace(/^(?![a-z])/, "x"))
    .join(".");

/** The selected instrument of a request, by its payment method. `isByBuyer` is true if a person has to pay. */
export function chosenPayment(ctx: Pick<UcpContext, "settings">, { payment: { instruments } }: CompleteCheckout) {
  const instrument = instruments.find(({ selected }) => selected) ?? instruments[0];
  const token = instrument?.credential?.token;
  const isByToken = instrument?.handler_id === TOKEN_HANDLER && tokenProfile(ctx) !== null;
  const named: PaymentMethod | undefined = paymentMethods.find((name) => name === instrument?.handler_id);
  const method = isByToken ? (token?.startsWith("spt_") ? TOKEN_METHOD : undefined) : named;
  return { method, token, isByToken, isByBuyer: method !== undefined && !isUnattended(method) && !isByToken };
}

export const paymentMissing = errorMessage("missing", "Select a payment instrument of one of the payment handlers", {
  path: "$.payment.instruments",
});

export const declinedPayment = errorMessage(
  "payment_failed",
  "The payment failed, and nothing was charged. Complete the checkout again",
  { path: "$.payment.instruments[0]" },
);

/** True for the token of a test card that is declined. No order is placed for it. */
export const isDeclined = (token: string | undefined): boolean => token === "fail";

/**
 * Pays a waiting order without a person: collects money that is reserved for it, or else uses a test card. The token of a
 * test card's credential chooses the outcome, and success is the default.
 */
export async function payUnattended(ctx: UcpContext, order: OrderRow, token: string | undefined): Promise<void> {
  const { paymentProvider, paymentReference: reference, paymentUrl } = order;
  if (reference === null) return;
  if (paymentUrl === null) {
    // If the provider does not answer, the schedule collects the money.
    await collectPayment(ctx, order).catch((error: unknown) =>
      logFault("payment of an order not collected", error, { payment: reference }),
    );
  } else if (paymentProvider === "test" && !isDeclined(token)) {
    const outcome = testOutcomes.find((name) => name === token) ?? "succeed";
    const { db, settings, author } = ctx;
    await payByTestCard({ db, settings, requestId: author.requestId }, { reference, outcome });
  }
}
