import { sql } from "drizzle-orm";
import { addDays, dayIn, startOfDay } from "../../../domain/time.ts";
import { sqlList } from "../../../platform/db/sql-list.ts";
import type { OrderRow } from "../schemas.ts";
import { unsentLines } from "../shipments/units.ts";

/** The label of directive 2011/83/EU, article 11a. E-mails have it in their language. */
export const WITHDRAW = "Withdraw from contract here";

/** Days of the period in directive 2011/83/EU, article 9. Shops may give more. */
const LEAST_DAYS = 14;

/** Countries whose law has the directive: the European Union and the European Economic Area. */
const COUNTRIES = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(
  " ",
);

/** Days in which buyers can withdraw, 0 if the shop does not offer it. By default, shops in these countries do. */
export const withdrawalDays = sql<number>`(SELECT coalesce(
  max(coalesce(withdrawal_days, iif(home_country IN (${sql.raw(sqlList(COUNTRIES))}), ${sql.raw(String(LEAST_DAYS))}, 0))), 0) FROM shop)`;

/** Days from a shipment to its delivery, which nobody reports. */
export const deliveryDays = sql<number>`(SELECT coalesce(max(delivery_days), 0) FROM shop)`;

export type WithdrawalTerms = { withdrawalDays: number; deliveryDays: number; timeZone: string };

type Delivery = Pick<OrderRow, "createdAt" | "status" | "items" | "shipments" | "history">;

/**
 * The time at which the last goods were delivered, or the order was placed if nothing is shipped. Null while goods are
 * still to be sent.
 */
function periodStart({ createdAt, status, items, shipments, history }: Delivery, { deliveryDays }: WithdrawalTerms) {
  if (!items.some(({ requiresShipping }) => requiresShipping)) return { from: createdAt, days: 0 };
  const shippedAt = shipments.at(-1)?.shippedAt;
  const completedAt = history.find(({ from, to }) => to === "completed" && from !== to)?.at;
  if (status !== "completed" && unsentLines(items).length > 0) return null;
  if (shippedAt !== undefined) return { from: shippedAt, days: deliveryDays };
  return completedAt === undefined ? null : { from: completedAt, days: 0 };
}

/**
 * The end of the withdrawal period: the end of its last day, not counting the day it starts, and never on a weekend
 * (regulation 1182/71, article 3, which recital 41 of the directive applies). Holidays differ by region and are left to the
 * shop. Null while the period has not begun.
 */
export function withdrawalEnd(order: Delivery, terms: WithdrawalTerms): number | null {
  const start = periodStart(order, terms);
  if (!start) return null;
  const { timeZone } = terms;
  const last = addDays(dayIn(timeZone, start.from), start.days + terms.withdrawalDays);
  return startOfDay(timeZone, addDays(last, 1 + daysToMonday(last)));
}

/** Days from a Saturday or Sunday to Monday, and 0 from other days. */
const daysToMonday = (day: string): number => [1, 0, 0, 0, 0, 0, 2][new Date(day).getUTCDay()] ?? 0;
