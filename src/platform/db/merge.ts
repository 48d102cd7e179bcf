/** Whether a change left a row as it was; both have their columns in one order. */
export const isSame = (before: object, after: object): boolean => JSON.stringify(before) === JSON.stringify(after);

/** A row with the fields of a change merged into it: fields that were not sent keep their values. */
export function merge<Row extends object>(row: Row, change: { [Name in keyof Row]?: Row[Name] | undefined }): Row {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(sent) };
}
