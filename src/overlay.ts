/** A row with the fields of a change: those that were not sent stay. */
export function overlay<Row extends object>(row: Row, change: { [Name in keyof Row]?: Row[Name] | undefined }): Row {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(sent) };
}
