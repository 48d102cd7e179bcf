import type { Schema } from "storefront/client";

type Method = Schema["NewOrder"]["payment_method"];

export type PaymentOption = {
  method: Method;
  label: string;
  hint: string;
  /** True if the order is paid after it was placed, by other means than this shop's. */
  isLater: boolean;
};

type Payer = {
  total: number;
  /** Balance of the shopper's wallet. Guests have no wallet. */
  wallet: number | undefined;
};

const online: PaymentOption[] = [
  { method: "credit_card", label: "Card", hint: "You pay on our payment provider's secure page.", isLater: false },
  { method: "paypal", label: "PayPal", hint: "You pay on PayPal's website.", isLater: false },
];

/**
 * Payment methods available to this buyer, the first one preselected. `enabled` are the methods whose payment provider is
 * set up in the API. Without one, an order waits until the merchant has received the money.
 */
export function paymentOptions(enabled: string, instructions: string, { total, wallet }: Payer): PaymentOption[] {
  const methods = enabled.split(/[\s,]+/);
  const offered = online.filter(({ method }) => methods.includes(method));
  const later: PaymentOption = {
    method: "credit_card",
    label: "Pay after ordering",
    hint: instructions,
    isLater: true,
  };
  const others = offered.length > 0 ? offered : [later];
  if (wallet === undefined || wallet < total) return others;
  return [
    { method: "wallet", label: "Wallet", hint: "Your balance covers the whole order.", isLater: false },
    ...others,
  ];
}
