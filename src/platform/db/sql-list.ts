/** Words of the code as a list for IN, in a text of SQL. */
export const sqlList = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");
