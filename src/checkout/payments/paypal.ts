import * as z from "zod";
import { beginningOf } from "../../domain/countries.ts";
import type { PaypalAccount } from "../../platform/settings/payments.ts";
import { toPaypalAmount } from "./amounts.ts";
import { askPaypal } from "./paypal-api.ts";
import { readPaypalEvent } from "./paypal-events.ts";
import { type PayableOrder, type PaymentProvider, RefundFailed } from "./provider.ts";

const Opened = z.object({ id: z.string(), links: z.array(z.object({ rel: z.string(), href: z.url() })) });

const Refunded = z.object({ id: z.string(), status: z.string() });

/** Payments with PayPal's Orders API: the buyer approves on PayPal's page, and the resulting webhook captures the payment. */
export const paypal = (account: PaypalAccount): PaymentProvider => ({
  name: "paypal",

  async open(order) {
    const { id, links } = await askPaypal(account, "/v2/checkout/orders", Opened, {
      requestId: order.requestId,
      body: JSON.stringify(orderFor(order, account)),
    });
    const link = links.find(({ rel }) => rel === "payer-action" || rel === "approve");
    if (!link) throw new Error("PayPal opened an order without an address to pay at");
    return { provider: "paypal", reference: id, url: link.href };
  },

  readEvent: (request, reading) => readPaypalEvent(account, request, reading),

  // PayPal has no call to close an order. An unapproved order expires by itself, and late money is refunded.
  async close() {},

  async refund({ id, reference, amount, currency }) {
    const path = `/v2/payments/captures/${encodeURIComponent(reference)}/refund`;
    const refund = await askPaypal(account, path, Refunded, {
      requestId: id,
      body: JSON.stringify({ amount: toPaypalAmount(amount, currency) }),
    });
    if (refund.status === "FAILED" || refund.status === "CANCELLED")
      throw new RefundFailed(refund.status.toLowerCase());
    return refund.id;
  },
});

function orderFor(order: PayableOrder, { returnUrl }: PaypalAccount) {
  const { reference } = order;
  const back = returnUrl.replaceAll("{reference}", reference);
  return {
    intent: "CAPTURE",
    purchase_units: [{ reference_id: reference, custom_id: reference, invoice_id: reference, ...amountsOf(order) }],
    payment_source: {
      paypal: {
        experience_context: {
          user_action: "PAY_NOW",
          // The order already has its address, so PayPal should not ask for one.
          shipping_preference: "NO_SHIPPING",
          return_url: back,
          cancel_url: back,
        },
      },
    },
  };
}

/** Longest name that PayPal accepts. */
const MAX_NAME = 127;

/** Returns the total, broken down into its parts and lines. */
function amountsOf({ total, currency, lines, shipping, shippingDiscount, taxAdded }: PayableOrder) {
  const amount = (minor: number) => toPaypalAmount(minor, currency);
  const [items, discounts] = [
    lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0),
    lines.reduce((sum, { discount }) => sum + discount, shippingDiscount),
  ];
  return {
    amount: {
      ...amount(total),
      breakdown: {
        item_total: amount(items),
        shipping: amount(shipping),
        tax_total: amount(taxAdded),
        discount: amount(discounts),
      },
    },
    items: lines.map(({ name, quantity, unitPrice }) => ({
      name: beginningOf(name, MAX_NAME),
      quantity: String(quantity),
      unit_amount: amount(unitPrice),
    })),
  };
}
