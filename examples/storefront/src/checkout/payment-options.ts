import type { Schema } from "@storefront-worker/api/client";

type Method = Schema["OrderCreate"]["payment_method"];

export type PaymentOption = {
  method: Method;
  label: string;
  hint: string;
  /** True if the order is paid after it is placed, outside this shop. */
  isLater: boolean;
};

type Payer = {
  total: number;
  /** Balance of the shopper's wallet. Guests have no wallet. */
  wallet: number | undefined;
};

/** Names and hints for methods where the API's texts do not fit. */
const words: { [Each in Method]?: { label?: string; hint: string } } = {
  wallet: { hint: "Your balance covers the whole order." },
  credit_card: { label: "Card", hint: "You pay on our payment provider's secure page." },
  paypal: { hint: "You pay on PayPal's website." },
  test_card: { hint: "Test mode: no money moves. You choose on the next page whether the payment succeeds." },
};

/** Payment methods available to this buyer, with the first one preselected. */
export const paymentOptions = (offered: Schema["PaymentOption"][], { total, wallet }: Payer): PaymentOption[] =>
  offered
    .filter(({ guests }) => guests || wallet !== undefined)
    .filter(({ method }) => method !== "wallet" || (wallet ?? 0) >= total)
    .map(({ method, label, instructions, days }) => ({
      method,
      label: words[method]?.label ?? label,
      hint:
        words[method]?.hint ??
        [instructions, days !== null && method !== "cash" && payWithin(days)].filter(Boolean).join("\n"),
      isLater: days !== null,
    }));

const payWithin = (days: number): string => `Pay within ${days === 1 ? "a day" : `${days} days`}.`;
