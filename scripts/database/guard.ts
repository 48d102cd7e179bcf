/** Schema that Drizzle cannot express: a trigger, a view, a full-text table, or initial rows. */
export type Guard = {
  /** The noun that names its file or folder. */
  noun: string;
  kind: "trigger" | "view" | "table" | "rows";
  /** Its name in the database; for rows, their table. */
  name: string;
  comment: string;
  sql: string;
};
