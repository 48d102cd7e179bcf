import { and, between, gt, lt } from "drizzle-orm";
import type { Database } from "../../platform/db/client.ts";
import { invoices, type TaxExemption } from "../../platform/db/schema.ts";
import { rateSum } from "../pricing/public.ts";
import { linesOfInvoice, taxGroups, taxOfLine } from "./document.ts";
import { YEAR_OF_NUMBER } from "./tables.ts";

/** Net sales of a country that are taxed alike, and their tax, in minor units. `taxes` is empty for untaxed sales. */
export type TaxedSales = {
  country: string | null;
  currency: string;
  taxes: { name: string; rate: number }[];
  /** Legal reason for a rate of 0, which tax returns declare apart. Null if there is none. */
  exemption: TaxExemption | null;
  net: number;
  tax: number;
};

/** Invoices that are read at a time. */
const AT_ONCE = 500;

const yearOf = (day: string): number => Number(day.slice(0, 4));

/**
 * Adds up the invoices that were issued on some days of the shop, by country, rate and exemption. A credit note reduces the day
 * on which it was issued, as in a tax return.
 */
export async function readTaxedSales(db: Database, { from, to }: { from: string; to: string }): Promise<TaxedSales[]> {
  const sums = new Map<string, TaxedSales>();
  const { id, currency, content, corrects, issuedOn } = invoices;
  const isWithin = and(between(issuedOn, from, to), lt(id, (yearOf(to) + 1) * YEAR_OF_NUMBER));
  for (let after = yearOf(from) * YEAR_OF_NUMBER, isOver = false; !isOver; ) {
    const rows = await db
      .select({ id, currency, content, corrects })
      .from(invoices)
      .where(and(gt(id, after), isWithin))
      .orderBy(id)
      .limit(AT_ONCE);
    for (const row of rows) addInvoice(sums, row);
    after = rows.at(-1)?.id ?? after;
    isOver = rows.length < AT_ONCE;
  }
  return [...sums.values()].toSorted(byCountryAndRate);
}

type Invoice = Pick<typeof invoices.$inferSelect, "currency" | "content" | "corrects">;

function addInvoice(sums: Map<string, TaxedSales>, { currency, content, corrects }: Invoice): void {
  const { country } = content;
  for (const group of taxGroups(linesOfInvoice({ content, corrects }))) {
    const taxes = group.taxes.map(({ name, rate }) => ({ name, rate }));
    const exemption = group.taxes.find((tax) => tax.exemption)?.exemption ?? null;
    const key = JSON.stringify([country, currency, taxes, exemption]);
    const sum = sums.get(key) ?? { country, currency, taxes, exemption, net: 0, tax: 0 };
    sums.set(key, { ...sum, net: sum.net + group.net, tax: sum.tax + taxOfLine(group) });
  }
}

const byCountryAndRate = (one: TaxedSales, other: TaxedSales): number =>
  (one.country ?? "").localeCompare(other.country ?? "") || rateSum(other.taxes) - rateSum(one.taxes);
