import { type SQL, sql } from "drizzle-orm";

/** What versions a row: its edits, but not what happens to it by itself, like a product that sells. */
export type Versioned = { id: number; updatedAt: number };

/** A batch's first statement, where it was decided on a row as it stood: refuses the batch when the row was edited since. */
export const unchanged = (
  table:
    | "products"
    | "categories"
    | "discounts"
    | "users"
    | "files"
    | "packages"
    | "orders"
    | "api_keys"
    | "addresses"
    | "webhook_endpoints"
    | "shop"
    | "shipping_zones"
    | "shipping_methods"
    | "tax_rates"
    | "saved_views",
  { id, updatedAt }: Versioned,
): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE id = ${id} AND updated_at = ${updatedAt})`;

/** The version that an edit leaves: another than the one before, also within the same millisecond. */
export const nextVersion = ({ updatedAt }: Versioned, now: number): number => Math.max(now, updatedAt + 1);

/** The next version of a row that was not read, as SQL for its `updated_at`. */
export const versionAfter = (now: number): SQL<number> => sql`max(${now}, updated_at + 1)`;

/** Whether a change left a row as it was; both have their columns in one order. */
export const isSame = (before: object, after: object): boolean => JSON.stringify(before) === JSON.stringify(after);

/** A row with the fields of a change merged into it: fields that were not sent keep their values. */
export function merge<Row extends object>(row: Row, change: { [Name in keyof Row]?: Row[Name] | undefined }): Row {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(sent) };
}
