import { exported } from "../../back-office/exports/stream.ts";
import { logFault } from "../../platform/http/log.ts";

/** A CSV file of rows. Its columns are those of the first. */
export function csvResponse(name: string, rows: readonly Record<string, unknown>[]): Promise<Response> {
  const left = [[...rows]];
  const source = { columns: Object.keys(rows[0] ?? {}), next: async () => left.shift() ?? null };
  return exported(name, "csv", source, (error) => logFault("CSV export interrupted", error));
}
