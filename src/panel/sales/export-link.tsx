import type { DaySpan } from "../../back-office/sales/report.ts";

/** The link that downloads the shown days of a report. */
export const ExportLink = ({ path, span: { from, to } }: { path: string; span: DaySpan }) => (
  <a class="button quiet" href={`${path}/csv?${new URLSearchParams({ from, to })}`} data-plain>
    Export
  </a>
);
