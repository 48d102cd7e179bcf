import { linesOfInvoice, taxGroups, taxOfLine } from "../../src/checkout/invoices/document.ts";
import { sum } from "../../src/domain/rounding.ts";
import { invoices } from "../../src/platform/db/schema.ts";
import { db } from "./shop.ts";

/** Invoices whose lines do not add up to their total and tax, or whose taxes are of another amount. */
export async function invoicesThatDoNotAddUp(): Promise<string[]> {
  const rows = await db.select().from(invoices);
  return rows
    .filter((row) => {
      const lines = linesOfInvoice(row);
      const tax = sum(lines.map(taxOfLine));
      const grouped = taxGroups(lines);
      const isWhole = sum(lines.map(({ net }) => net)) + tax === row.total && tax === row.tax;
      return !isWhole || sum(grouped.map(({ net }) => net)) !== row.total - row.tax || lines.length === 0;
    })
    .map(({ number }) => number);
}
