import { type SQL, sql } from "drizzle-orm";
import { preconditions } from "./schema.ts";

/** The version of a row: changed by edits, but not by other events such as sales. */
export type Versioned = { id: number; updatedAt: number };

/** A statement that refuses its batch, with the violation `row_changed`, unless the condition holds. */
export const precondition = (holds: SQL): SQL =>
  sql`INSERT INTO ${preconditions} (${sql.identifier(preconditions.holds.name)}) SELECT ${holds}`;

/** The first statement of a batch that depends on a row as it was read. Refuses the batch if the row was edited since. */
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
    | "payment_settings"
    | "shipping_zones"
    | "shipping_methods"
    | "tax_rates"
    | "saved_views"
    | "staff_invitations"
    | "draft_orders"
    | "checkout_sessions"
    | "feeds",
  { id, updatedAt }: Versioned,
): SQL =>
  precondition(sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE id = ${id} AND updated_at = ${updatedAt})`);

/** The version after an edit. Differs from the previous one even within a millisecond. */
export const nextVersion = ({ updatedAt }: Versioned, now: number): number => Math.max(now, updatedAt + 1);

/** The next version of an unread row, as SQL for its `updated_at`. */
export const versionAfter = (now: number): SQL<number> => sql`max(${now}, updated_at + 1)`;

/** True if a change leaves a row as it was. Both list their columns in the same order. */
export const isSame = (before: object, after: object): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Merges the sent fields of a change into a row. */
export function merge<Row extends object>(row: Row, change: { [Name in keyof Row]?: Row[Name] | undefined }): Row {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(sent) };
}
