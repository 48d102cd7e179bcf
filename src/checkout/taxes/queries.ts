import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { countries } from "../../domain/countries.ts";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import type { Database } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import { taxRates } from "../../platform/db/schema.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import type { TaxRatesQuery } from "./admin-schemas.ts";
import { type TaxRateRow, type TaxRateState, taxRateFields } from "./fields.ts";

/** A page of rates by place, countries in the order of `codes` and each before its regions, and then by class. */
export function listTaxRates(db: Database, query: TaxRatesQuery, codes = countries) {
  const where = query.country === undefined ? undefined : eq(taxRates.country, query.country);
  const { limit, offset } = limitAndOffset(query);
  const { region, taxClass, name } = taxRates;
  const country = sql`instr(${codes.join()}, ${taxRates.country})`;
  const rows = db
    .select()
    .from(taxRates)
    .where(where)
    .orderBy(asc(country), asc(region), sql`${taxClass} = 'standard' DESC`, asc(taxClass), asc(name))
    .limit(limit)
    .offset(offset);
  return readPage(db, rows, taxRates, where);
}

export const findTaxRate = (db: Database, id: number): Promise<TaxRateRow | undefined> =>
  db.select().from(taxRates).where(eq(taxRates.id, id)).get();

export const auditedTaxRates: AuditedTable<TaxRateRow, TaxRateState> = {
  table: taxRates,
  name: "tax_rates",
  subject: "tax_rate",
  json: jsonRow<TaxRateRow>(getTableColumns(taxRates)),
  audited: (state) => auditedState(taxRateFields, state),
  refusals: {
    "tax_rates.country": () =>
      badRequest(fieldError("name", "tax_rate_exists", "is that of another rate of the place and class")),
  },
};

/** A new rate. Ids only ever grow, so within its batch the newest is the one that was just written. */
export const newTaxRate = (row: TaxRateState): Creation<TaxRateState> => ({
  row,
  where: sql`id = (SELECT max(id) FROM tax_rates)`,
  state: row,
});
