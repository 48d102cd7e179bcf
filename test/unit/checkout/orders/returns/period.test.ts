import { expect, it } from "vitest";
import { withdrawalEnd } from "../../../../../src/checkout/orders/returns/period.ts";

type Order = Parameters<typeof withdrawalEnd>[0];

const terms = { withdrawalDays: 14, deliveryDays: 7, timeZone: "Europe/Berlin" };
const at = (text: string) => Date.parse(text);

const order = (more: Partial<Order> & { ships?: boolean; sent?: number }): Order => ({
  createdAt: at("2026-07-01T10:00:00Z"),
  status: "shipped",
  history: [],
  shipments: [],
  items: [
    { requiresShipping: more.ships ?? true, quantity: 2, refundedQuantity: 0, shippedQuantity: more.sent ?? 2 },
  ] as Order["items"],
  ...more,
});

const shippedAt = (text: string) => [{ shippedAt: at(text) }] as Order["shipments"];
const endOf = (of: Order) => {
  const end = withdrawalEnd(of, terms);
  return end === null ? null : new Date(end).toISOString();
};

it("ends at midnight of the shop after the last of the days, counted from the delivery of the last parcel", () => {
  expect(endOf(order({ shipments: shippedAt("2026-07-02T22:30:00Z") }))).toBe("2026-07-24T22:00:00.000Z");
});

it("does not begin while goods are still to be sent", () => {
  const half = order({ status: "processing", sent: 1, shipments: shippedAt("2026-07-02T10:00:00Z") });
  expect(endOf(half)).toBeNull();
});

it("is counted from the order if nothing is shipped, and from the handover of goods that were collected", () => {
  expect(endOf(order({ ships: false, sent: 0 }))).toBe("2026-07-15T22:00:00.000Z");
  const history = [{ from: "processing", to: "completed", at: at("2026-07-03T08:00:00Z") }] as Order["history"];
  expect(endOf(order({ status: "completed", sent: 0, history }))).toBe("2026-07-17T22:00:00.000Z");
});

it("ends on Monday if its last day is on a weekend", () => {
  const endAfter = (day: string) => endOf(order({ ships: false, sent: 0, createdAt: at(`${day}T10:00:00Z`) }));
  expect(["2026-07-03", "2026-07-04", "2026-07-05", "2026-07-06"].map(endAfter)).toEqual([
    "2026-07-17T22:00:00.000Z",
    ...Array.from({ length: 3 }, () => "2026-07-20T22:00:00.000Z"),
  ]);
});
