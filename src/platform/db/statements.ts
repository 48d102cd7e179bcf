import { getTableColumns, isSQLWrapper, type Query, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type SQLiteColumn, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ApiError } from "../../domain/errors.ts";
import { preconditions } from "./tables.ts";

/** The text of a statement and its parameters, which may include placeholders. */
export type BuiltStatement = Pick<Query, "sql" | "params">;

const dialect = new SQLiteSyncDialect();

/** Builds a statement for repeated use, because building it takes longer than running it. */
export const buildStatement = (statement: SQL): BuiltStatement => dialect.sqlToQuery(statement);

/** Columns of a row, each a value, a column or SQL. */
type InsertValues<Table extends SQLiteTable> = {
  [Name in keyof Table["$inferInsert"]]: Table["$inferInsert"][Name] | SQLWrapper;
};

const writtenColumns = (table: SQLiteTable, row: object) => {
  const columns = getTableColumns(table);
  return Object.entries(row).flatMap(([name, value]) => {
    const column = columns[name];
    if (!column || value === undefined) return [];
    return [{ name: sql.identifier(column.name), value: isSQLWrapper(value) ? value : sql.param(value, column) }];
  });
};

/**
 * `INSERT … SELECT` for each row of `from` (such as `FROM orders WHERE …`), or for one row. Drizzle's own cannot leave out
 * columns.
 */
export function insertSelected<Table extends SQLiteTable>(table: Table, row: InsertValues<Table>, from = sql``): SQL {
  const columns = writtenColumns(table, row);
  const [names, values] = [columns.map(({ name }) => name), columns.map(({ value }) => value)];
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)}) SELECT ${sql.join(values, sql`, `)} ${from}`;
}

/** `INSERT` of rows with the columns of the first, passed as one JSON parameter. */
export function insertRows<Table extends SQLiteTable>(table: Table, rows: Table["$inferInsert"][]): SQL {
  const [first = {}] = rows;
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => Reflect.get(first, name) !== undefined);
  const values = rows.map((row) => columns.map(([name, column]) => driverValue(column, Reflect.get(row, name))));
  const names = columns.map(([, column]) => sql.identifier(column.name));
  const selected = columns.map((_, place) => sql.raw(`value ->> ${place}`));
  return sql`INSERT INTO ${table} (${sql.join(names, sql`, `)})
    SELECT ${sql.join(selected, sql`, `)} FROM json_each(${JSON.stringify(values)})`;
}

export const driverValue = (column: SQLiteColumn, value: unknown) =>
  value === null ? null : column.mapToDriverValue(value);

/** `UPDATE` for a batch, without a database session. */
export function updateRows<Table extends SQLiteTable>(
  table: Table,
  row: Partial<InsertValues<Table>>,
  where: SQL,
): SQL {
  const set = writtenColumns(table, row).map(({ name, value }) => sql`${name} = ${value}`);
  return sql`UPDATE ${table} SET ${sql.join(set, sql`, `)} WHERE ${where}`;
}

/** The full text of a fault, including the cause that Drizzle wraps. */
const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : textOf(error.cause)}` : String(error);

/** True if the database refused a write by this rule: the name of a CHECK or trigger, or `table.column` of a UNIQUE. */
export const violates = (error: unknown, rule: string): boolean => {
  const text = textOf(error);
  return text.includes("SQLITE_CONSTRAINT") && text.includes(rule);
};

/** True if the database refused a write by any of its rules, rather than failed. */
export const isViolation = (error: unknown): boolean => textOf(error).includes("SQLITE_CONSTRAINT");

/** Errors by violated rule. */
export type Refusals = Record<string, () => ApiError | Promise<ApiError>>;

/** Awaits a write. Throws the error in `refusals` for a violated rule. */
export async function translateViolations<T>(write: Promise<T>, refusals: Refusals): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const rule = Object.keys(refusals).find((name) => violates(error, name));
    throw (rule && (await refusals[rule]?.())) || error;
  }
}

/** The version of a row: changed by edits, but not by other events such as sales. */
export type VersionedRow = { id: number; updatedAt: number };

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
    | "license_keys"
    | "gift_cards"
    | "orders"
    | "returns"
    | "api_keys"
    | "addresses"
    | "webhook_endpoints"
    | "shop"
    | "payment_settings"
    | "payment_accounts"
    | "shipping_zones"
    | "shipping_methods"
    | "tax_rates"
    | "saved_views"
    | "staff_invitations"
    | "draft_orders"
    | "checkout_sessions"
    | "feeds",
  { id, updatedAt }: VersionedRow,
): SQL =>
  precondition(sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE id = ${id} AND updated_at = ${updatedAt})`);

/** The version after an edit. Differs from the previous one even within a millisecond. */
export const nextVersion = ({ updatedAt }: VersionedRow, now: number): number => Math.max(now, updatedAt + 1);

/** The next version of an unread row, as SQL for its `updated_at`. */
export const versionAfter = (now: number): SQL<number> => sql`max(${now}, updated_at + 1)`;

/** True if a change leaves a row as it was. Both list their columns in the same order. */
export const isSame = (before: object, after: object): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Merges the sent fields of a change into a row. */
export function merge<Row extends object>(row: Row, change: { [Name in keyof Row]?: Row[Name] | undefined }): Row {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(sent) };
}
