import { exported } from "../../back-office/exports/stream.ts";
import type { DaySpan } from "../../back-office/sales/report.ts";
import { logFault } from "../../platform/http/log.ts";

/** The link that downloads the shown days of a report. */
export const ExportLink = ({ path, span: { from, to } }: { path: string; span: DaySpan }) => (
  <a class="button quiet" href={`${path}/csv?${new URLSearchParams({ from, to })}`} data-plain>
    Export
  </a>
);

/** A report as a CSV file, whose columns are those of its rows. */
export function csvResponse(name: string, rows: readonly Record<string, unknown>[]): Promise<Response> {
  const left = [[...rows]];
  const source = { columns: Object.keys(rows[0] ?? {}), next: async () => left.shift() ?? null };
  return exported(name, "csv", source, (error) => logFault("The CSV of a report broke off", error));
}
