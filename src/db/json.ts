import type { SQL } from "drizzle-orm";

/**
 * A column that SQLite builds as JSON: rows of another table within a row, without another round trip. A batch names its
 * columns and loses one of two that are called the same, so a joined row is best read this way too. Write the columns of
 * the outer table out (`orders.id`): Drizzle leaves the table's name off where it selects from one alone.
 */
export const json = <T>(column: SQL): SQL<T> => column.mapWith((text: string): T => JSON.parse(text));
