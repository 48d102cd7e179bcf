import { type SQL, sql } from "drizzle-orm";
import { minorUnits } from "../../domain/currency.ts";

/** Converts minor units to a decimal amount, for JSON that SQL builds. */
export const decimal = (minor: SQL, currency: SQL): SQL =>
  sql`(${minor} * 1.0 / coalesce(json_extract(${JSON.stringify(minorUnits)}, '$.' || ${currency}), 100))`;
