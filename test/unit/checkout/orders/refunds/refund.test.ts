import { expect, it } from "vitest";
import { providerShare } from "../../../../../src/checkout/orders/refunds/refund.ts";
import type { OrderRow } from "../../../../../src/checkout/orders/schemas.ts";

it.each([
  ["everything that the provider collected", { receivedByHand: 0, refundedTotal: 0 }, 1_500, 1_500],
  ["nothing that the shop received another way", { receivedByHand: 500, refundedTotal: 0 }, 1_500, 1_000],
  ["a part of the payment as long as it lasts", { receivedByHand: 500, refundedTotal: 800 }, 300, 200],
  ["nothing once its payment is refunded", { receivedByHand: 500, refundedTotal: 1_000 }, 400, 0],
])("a provider refunds %s", (_, paid, amount, share) => {
  expect(providerShare({ total: 1_500, ...paid } as OrderRow, amount)).toBe(share);
});
