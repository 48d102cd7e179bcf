import { iso } from "../../domain/fields.ts";
import type { KeyDay, KeyHistory, KeyRoute } from "../../platform/metrics/figures.ts";
import { BarChart } from "../kit/charts.tsx";
import { formatDate, formatShortDate, When } from "../kit/dates.tsx";
import { type Column, Table } from "../kit/table.tsx";

/** The last 90 days of a key, by day and by route. */
export const History = ({ days, routes }: KeyHistory) => (
  <section class="card">
    <h2>Last 90 days</h2>
    {routes.length === 0 ? (
      <p class="muted">No requests in the last 90 days.</p>
    ) : (
      <>
        <BarChart title="Requests by day (UTC)" series={["Answered", "Refused or failed"]} points={days.map(pointOf)} />
        <Table label="Requests by route" rows={routes} columns={columns} />
      </>
    )}
  </section>
);

function pointOf({ at, requests, refused, clientErrors, serverErrors }: KeyDay) {
  const day = iso(at).slice(0, 10);
  const failed = refused + clientErrors + serverErrors;
  return { label: formatShortDate(day), name: formatDate(day), values: [requests - failed, failed] };
}

const count = (value: number) => (value === 0 ? null : value.toLocaleString("en"));

const columns: Column<KeyRoute>[] = [
  { title: "Route", cell: ({ route }) => <code>{route}</code> },
  { title: "Last used", cell: ({ lastAt }) => <When at={lastAt} brief /> },
  { title: "Requests", numeric: true, cell: ({ requests }) => count(requests) },
  { title: "Refused", numeric: true, cell: ({ refused }) => count(refused) },
  { title: "Errors", numeric: true, cell: ({ clientErrors, serverErrors }) => count(clientErrors + serverErrors) },
  { title: "p50", numeric: true, cell: ({ p50 }) => milliseconds(p50) },
  { title: "p95", numeric: true, cell: ({ p95 }) => milliseconds(p95) },
];

const milliseconds = (value: number | null) => value !== null && <span class="nowrap">{value} ms</span>;
