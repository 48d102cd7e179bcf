import { paymentOptions, readPaymentSettings } from "../checkout/payments/settings.ts";
import type { PaymentMethod } from "../domain/payment-methods.ts";
import type { UcpContext } from "./context.ts";
import { UCP_VERSION } from "./protocol.ts";

/** A way to pay, as the profile and every checkout list it. */
type PaymentHandler = {
  id: PaymentMethod;
  version: string;
  available_instruments: { type: string }[];
  config: { label: string; buyer_action: boolean; instructions?: string };
};

/** The method that needs no person: its payments move no money. */
const UNATTENDED = "test_card";

/**
 * The ways to pay that the shop has switched on for guests, below a name made of the shop's own host. All but test payments
 * are finished by the buyer, on the page of `continue_url`.
 */
export async function paymentHandlers({
  db,
  settings,
  origin,
}: Pick<UcpContext, "db" | "settings" | "origin">): Promise<Record<string, PaymentHandler[]>> {
  const { methods } = await readPaymentSettings(db);
  const handlers = paymentOptions(methods, settings)
    .filter(({ guests }) => guests)
    .map(({ method, label, instructions }) => ({
      id: method,
      version: UCP_VERSION,
      available_instruments: [{ type: method === UNATTENDED ? "card" : method }],
      config: { label, buyer_action: method !== UNATTENDED, ...(instructions !== "" && { instructions }) },
    }));
  return handlers.length === 0 ? {} : { [`${reversedHost(origin)}.payments`]: handlers };
}

/** `https://my-shop.example` as `example.my_shop`. Each part begins with a letter, as the protocol requires. */
const reversedHost = (origin: string): string =>
  new URL(origin).hostname
    .split(".")
    .toReversed()
    .map((part, place) => part.replaceAll(/[^a-z0-9]/g, place === 0 ? "" : "_").replace(/^(?![a-z])/, "x"))
    .join(".");
