import { randomOf } from "../random.ts";
import { customers } from "./customers.ts";
import type { DemoProduct } from "./types.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS = 92;

export type PastOrder = {
  at: number;
  /** Index of the buyer in the list of customers. */
  customer: number;
  lines: { sku: string; quantity: number; price: number }[];
  isShipped: boolean;
  method: "credit_card" | "paypal" | "bank_transfer";
  fate: "completed" | "shipped" | "paid" | "cancelled" | "refunded";
};

/**
 * Sales of the demo shop's last three months, the same in every shop: they grow by week, are higher at weekends and in
 * the evening, and are concentrated on few products.
 */
export function pastOrders(now: number, catalogue: DemoProduct[]): PastOrder[] {
  const random = randomOf(20_261_123);
  const below = (limit: number) => Math.floor(random() * limit);
  const startOfToday = now - (now % DAY_MS);
  return Array.from({ length: DAYS }, (_, index) => DAYS - 1 - index).flatMap((ago) => {
    const start = startOfToday - ago * DAY_MS;
    const weekday = new Date(start).getUTCDay();
    const expected = (2.5 + ((DAYS - ago) / DAYS) * 3.5) * (weekday === 0 || weekday === 6 ? 1.5 : 1);
    const count = Math.round(expected * (0.6 + 0.8 * random()));
    const hours = Array.from({ length: count }, () => 7 + below(8) + below(9));
    return hours
      .map((hour) => start + hour * HOUR_MS + below(HOUR_MS))
      .filter((at) => at < now - HOUR_MS)
      .sort((one, other) => one - other)
      .map((at): PastOrder => {
        const lines = linesOf(catalogue, random);
        const isShipped = lines.some(({ type }) => type === "physical");
        return {
          at,
          customer: below(random() < 0.4 ? 12 : customers.length),
          lines,
          isShipped,
          method: methodOf(random()),
          fate: fateOf(now - at, isShipped, random()),
        };
      });
  });
}

/** The units in orders, by SKU. */
export function unitsOf(orders: PastOrder[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { sku, quantity } of orders.flatMap(({ lines }) => lines))
    units.set(sku, (units.get(sku) ?? 0) + quantity);
  return units;
}

/** One to three different products. Those at the start of the catalogue are chosen more often. */
function linesOf(catalogue: DemoProduct[], random: () => number) {
  const wanted = 1 + Math.floor(random() ** 2 * 3);
  const places = new Set(Array.from({ length: wanted }, () => Math.floor(random() ** 2.2 * catalogue.length)));
  return catalogue
    .filter((_, place) => places.has(place))
    .map(({ sku, price, type }) => ({ sku, price, type, quantity: price < 2_000 && random() < 0.3 ? 2 : 1 }));
}

function methodOf(chance: number): PastOrder["method"] {
  if (chance < 0.6) return "credit_card";
  return chance < 0.85 ? "paypal" : "bank_transfer";
}

function fateOf(age: number, isShipped: boolean, chance: number): PastOrder["fate"] {
  if (chance < 0.06 && age > 5 * DAY_MS) return chance < 0.03 ? "cancelled" : "refunded";
  if (!isShipped || age > 9 * DAY_MS) return "completed";
  return age > 2 * DAY_MS ? "shipped" : "paid";
}
