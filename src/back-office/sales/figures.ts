import type { sales } from "../../platform/db/schema.ts";

export type SalesRow = typeof sales.$inferSelect;
type Measures = Omit<SalesRow, "dimension" | "period" | "key">;

const names = ["orders", "units", "netSales", "shipping", "tax", "totalSales", "discounts", "refunds"] as const;

/**
 * What a day or a span of days sold, in minor units. Net sales are goods after discounts and refunds, without tax; with shipping
 * and tax, after refunds too, they are total sales. Refunds are all that went back.
 */
export type Figures = Record<(typeof names)[number], number>;

const NOTHING: Figures = {
  orders: 0,
  units: 0,
  netSales: 0,
  shipping: 0,
  tax: 0,
  totalSales: 0,
  discounts: 0,
  refunds: 0,
};

export function figuresOf(row: Measures | undefined): Figures {
  if (!row) return NOTHING;
  const netSales = row.goods - row.returnedGoods;
  const shipping = row.shipping - row.returnedShipping;
  const tax = row.tax - row.returnedTax;
  return {
    orders: row.orders,
    units: row.units,
    netSales,
    shipping,
    tax,
    totalSales: netSales + shipping + tax,
    discounts: row.discounts,
    refunds: row.returnedGoods + row.returnedShipping + row.returnedTax,
  };
}

export function totalOf(all: readonly Figures[]): Figures {
  const total = { ...NOTHING };
  for (const one of all) for (const name of names) total[name] += one[name];
  return total;
}

/** What was paid for an order on average, before refunds; null without orders. */
export const averageOrder = ({ orders, totalSales, refunds }: Figures): number | null =>
  orders === 0 ? null : Math.round((totalSales + refunds) / orders);
