import { type SQL, sql } from "drizzle-orm";
import { minorUnits } from "../../domain/currency.ts";

/** An amount of minor units as a JSON number, where SQL writes what people read. */
export const decimal = (minor: SQL, currency: SQL): SQL =>
  sql`(${minor} * 1.0 / coalesce(json_extract(${JSON.stringify(minorUnits)}, '$.' || ${currency}), 100))`;
