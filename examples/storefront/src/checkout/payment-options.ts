import type { Schema } from "storefront/client";

type Method = Schema["NewOrder"]["payment_method"];

export type PaymentOption = { method: Method; label: string; hint: string };

type Payer = {
  total: number;
  /** What the shopper's wallet holds. A guest has none. */
  wallet: number | undefined;
};

const online: PaymentOption[] = [
  { method: "credit_card", label: "Card", hint: "You pay on the secure page of our payment service." },
  { method: "paypal", label: "PayPal", hint: "You pay at PayPal." },
];

/**
 * The ways to pay that can work for this buyer, the first being preselected. `enabled` are the methods that the API has a
 * payment provider for; without one an order waits until the merchant has the money.
 */
export function paymentOptions(enabled: string, instructions: string, { total, wallet }: Payer): PaymentOption[] {
  const methods = enabled.split(/[\s,]+/);
  const offered = online.filter(({ method }) => methods.includes(method));
  const later: PaymentOption = { method: "credit_card", label: "Pay after ordering", hint: instructions };
  const others = offered.length > 0 ? offered : [later];
  if (wallet === undefined || wallet < total) return others;
  return [{ method: "wallet", label: "Wallet", hint: "It covers the whole order, which is paid at once." }, ...others];
}
