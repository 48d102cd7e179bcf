import { buckets } from "../../platform/metrics/counts.ts";
import type { RequestTotal } from "../../platform/metrics/figures.ts";
import type { BackupStatus } from "../backups/public.ts";
import type { Background } from "../health/public.ts";
import type { MetricFamily } from "./open-metrics.ts";

type ShopFigures = { version: string; totals: RequestTotal[]; background: Background; backup: BackupStatus };

/** The shop's metrics. Counters include all requests since the shop was created, as counted in D1. */
export const metricFamilies = ({ version, totals, background, backup }: ShopFigures): MetricFamily[] => [
  {
    name: "storefront_build",
    type: "info",
    help: "Version of the Worker that answered this scrape.",
    samples: [{ suffix: "_info", labels: { version }, value: 1 }],
  },
  {
    name: "storefront_http_requests",
    type: "counter",
    help: "Requests by route, kind of caller and class of their status.",
    samples: totals.flatMap((total) =>
      classesOf(total).map(([code, value]) => ({
        suffix: "_total" as const,
        labels: { ...routeLabels(total), caller: total.caller, code },
        value,
      })),
    ),
  },
  {
    name: "storefront_rate_limited",
    type: "counter",
    help: "Requests refused with 429.",
    samples: totals
      .filter(({ refused }) => refused > 0)
      .map((total) => ({
        suffix: "_total" as const,
        labels: { ...routeLabels(total), caller: total.caller },
        value: total.refused,
      })),
  },
  {
    name: "storefront_http_request_duration_seconds",
    type: "histogram",
    unit: "seconds",
    help: "Time until the response began, by route.",
    samples: [...Map.groupBy(totals, ({ route }) => route).values()].flatMap(histogramOf),
  },
  ...backgroundFamilies(background),
  ...backupFamilies(backup),
];

/** Splits "GET /api/v1/user/products" into its labels. */
function routeLabels({ route }: RequestTotal) {
  const [method = "", path] = route.split(" ");
  return path === undefined ? { method: "", route } : { method, route: path };
}

const classesOf = ({ requests, redirects, refused, clientErrors, serverErrors }: RequestTotal) =>
  (
    [
      ["2xx", requests - redirects - refused - clientErrors - serverErrors],
      ["3xx", redirects],
      ["4xx", refused + clientErrors],
      ["5xx", serverErrors],
    ] as const
  ).filter(([, value]) => value > 0);

/** The buckets of a route for all kinds of callers, each including the faster ones. */
function histogramOf(totals: RequestTotal[]): MetricFamily["samples"] {
  const sumOf = (value: (total: RequestTotal) => number) => totals.reduce((sum, total) => sum + value(total), 0);
  const labels = totals[0] ? routeLabels(totals[0]) : {};
  let quicker = 0;
  const counted = buckets.map(([name, bound]) => {
    quicker += sumOf((total) => total[name]);
    return { suffix: "_bucket" as const, labels: { ...labels, le: secondsOf(bound) }, value: quicker };
  });
  return [
    ...counted,
    { suffix: "_count", labels, value: quicker },
    { suffix: "_sum", labels, value: sumOf(({ duration }) => duration) / 1000 },
  ];
}

/** A bound in OpenMetrics format: "0.25", "1.0", "+Inf". */
function secondsOf(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return "+Inf";
  return ms % 1000 === 0 ? (ms / 1000).toFixed(1) : String(ms / 1000);
}

const backgroundFamilies = ({ queues, schedule, databaseBytes }: Background): MetricFamily[] => [
  {
    name: "storefront_queue_items",
    type: "gauge",
    help: "Items that wait in a queue. Counted up to 1000.",
    samples: queues.map(({ name, depth }) => ({ labels: { queue: name }, value: depth })),
  },
  {
    name: "storefront_queue_oldest_age_seconds",
    type: "gauge",
    unit: "seconds",
    help: "Time that the oldest item of a queue has waited. 0 if nothing waits.",
    samples: queues.map(({ name, oldestSeconds }) => ({ labels: { queue: name }, value: oldestSeconds ?? 0 })),
  },
  {
    name: "storefront_queue_stuck",
    type: "gauge",
    help: "1 if a queue is stuck, else 0.",
    samples: queues.map(({ name, isStuck }) => ({ labels: { queue: name }, value: Number(isStuck) })),
  },
  {
    name: "storefront_schedule_last_run_timestamp_seconds",
    type: "gauge",
    unit: "seconds",
    help: "Time at which the schedule of every minute last ended. 0 if it never did.",
    samples: [{ value: (schedule.finishedAt ?? 0) / 1000 }],
  },
  {
    name: "storefront_database_size_bytes",
    type: "gauge",
    unit: "bytes",
    help: "Size of the D1 database.",
    samples: [{ value: databaseBytes }],
  },
];

/** None without a bucket for backups. */
const backupFamilies = ({ isSetUp, isOverdue, backups }: BackupStatus): MetricFamily[] =>
  isSetUp
    ? [
        {
          name: "storefront_last_backup_timestamp_seconds",
          type: "gauge",
          unit: "seconds",
          help: "Moment that the last complete backup shows. 0 without a backup.",
          samples: [{ value: (backups[0]?.moment ?? 0) / 1000 }],
        },
        {
          name: "storefront_backup_overdue",
          type: "gauge",
          help: "1 if a daily backup is missing, else 0.",
          samples: [{ value: Number(isOverdue) }],
        },
      ]
    : [];
