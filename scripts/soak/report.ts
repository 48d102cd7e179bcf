import type { Check } from "./check.ts";
import type { Client } from "./client.ts";
import type { Model } from "./model.ts";
import type { MailService, WebhookReceiver } from "./receivers.ts";
import type { Shop } from "./shop.ts";
import { type Trend, trendOf } from "./trend.ts";

type Findings = {
  startedAt: number;
  endedAt: number;
  drainedAt: number;
  shop: Shop;
  client: Client;
  model: Model;
  receiver: WebhookReceiver;
  mail: MailService;
  checks: Check[];
  trends: { heap: Trend; resident: Trend };
  rows: [string, number][];
};

const MB = 1_000_000;
const MINUTE_MS = 60_000;
/** Maximum number of wrong items per check in the report. */
const NAMED = 5;

const quantile = (sorted: number[], share: number): string =>
  sorted.length === 0 ? "-" : String(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);

/** Median and 95th percentile of response times in a period, in milliseconds. */
function latencies(timings: [number, number][], from: number, to: number): string {
  const sorted = timings.flatMap(([at, ms]) => (at >= from && at < to ? [ms] : [])).sort((a, b) => a - b);
  return `${quantile(sorted, 0.5)} / ${quantile(sorted, 0.95)}`;
}

const row = (...cells: unknown[]): string => `| ${cells.join(" | ")} |`;
const inMb = (bytes: number): string => (bytes / MB).toFixed(1);
const trendLine = (what: string, { verdict, level, perHour }: Trend): string =>
  `${what}: ${verdict} at ${inMb(level)} MB, ${inMb(perHour)} MB an hour in the second half after the last interruption.`;

/** One page of figures. */
export function page(findings: Findings): string {
  const { startedAt, endedAt, drainedAt, shop, client, model, receiver, mail, checks, trends, rows } = findings;
  const minutes = (endedAt - startedAt) / MINUTE_MS;
  const part = (endedAt - startedAt) / 6;
  const tallies = [...client.tallies].filter(([kind]) => kind !== "setup").sort(([a], [b]) => (a < b ? -1 : 1));
  const all = tallies.reduce((sum, [, { acknowledged, refused }]) => sum + acknowledged + refused, 0);
  const wrong = checks.filter((check) => check.wrong.length > 0);
  const at = (time: number): string => ((time - startedAt) / MINUTE_MS).toFixed(1);
  const { counts } = model;
  return [
    `# ${minutes.toFixed(0)} minutes of a shop's life: ${isFlat(trends) && wrong.length === 0 ? "nothing lost" : "FAULTS"}`,
    "",
    `From ${new Date(startedAt).toISOString()} with ${all} answers (${(all / minutes / 60).toFixed(1)} a second), ` +
      `${model.orders.size} orders, drained after ${((drainedAt - endedAt) / 1_000).toFixed(0)} s more.`,
    "",
    row(
      "request",
      "attempted",
      "acknowledged",
      "refused",
      "retried",
      "lost",
      "p50 / p95 first sixth, ms",
      "last sixth",
    ),
    row(...Array(8).fill("---")),
    ...tallies.map(([kind, { attempted, acknowledged, refused, retried, lost, timings }]) =>
      row(
        ...[kind, attempted, acknowledged, refused, retried, lost],
        latencies(timings, startedAt, startedAt + part),
        latencies(timings, endedAt - part, endedAt),
      ),
    ),
    "",
    `${counts.soldOut} orders were refused as sold out, ${counts.twins} were sent twice at once, ${counts.limitReached} downloads were refused at ` +
      `their limit. ${counts.bulk} bulk actions, ${counts.imports} imports, ${counts.exports} exports with ${counts.exported} orders, ${counts.backups} backups.`,
    `Webhooks: ${receiver.delivered.size} events in ${receiver.counts.attempts} attempts, of which ${receiver.counts.refused} were answered with 500, ` +
      `${receiver.counts.hung} with nothing; ${receiver.counts.again} came again.`,
    `E-mails: ${mail.delivered.size} in ${mail.counts.attempts} attempts, of which ${mail.counts.refused} were refused; ${mail.counts.again} came again ` +
      "under their key.",
    ...shop.interruptions.map(
      ({ what, from, to, before, after }) =>
        `At minute ${at(from)} a ${what}: nobody was served for ${((to - from) / 1_000).toFixed(1)} s; version ${before.slice(0, 8)} became ${after.slice(0, 8)}.`,
    ),
    "",
    row("minute", "workerd, MB", "alive in the Worker, MB"),
    row("---", "---", "---"),
    ...[0, 1, 2, 3, 4, 5, 6].flatMap((sixth) => {
      const sample = shop.samples.findLast(({ at: time }) => time <= startedAt + sixth * part + MINUTE_MS);
      return sample ? [row(at(sample.at), inMb(sample.resident), inMb(sample.heap))] : [];
    }),
    "",
    trendLine("The Worker's heap", trends.heap),
    trendLine("workerd with all that it simulates", trends.resident),
    "",
    `Rows: ${rows.map(([table, n]) => `${table} ${n}`).join(", ")}.`,
    "",
    row("checked", "times", "wrong"),
    row("---", "---", "---"),
    ...checks.map(({ says, checked, wrong: found }) => row(says, checked, found.length)),
    "",
    ...wrong.flatMap(({ says, wrong: found }) => [
      `Wrong: ${says}`,
      ...found.slice(0, NAMED).map((line) => `- ${line}`),
    ]),
    `Verdict: ${isFlat(trends) && wrong.length === 0 ? "nothing was lost, nothing was doubled, memory is flat." : "see above."}`,
    "",
  ].join("\n");
}

/** True if the Worker's own memory has stabilized. */
export const isFlat = ({ heap }: Findings["trends"]): boolean => heap.verdict === "plateau";

/** Memory under load since the last interruption. The trend covers the second half. */
export function memoryTrends({ samples, interruptions }: Shop, endedAt: number): { heap: Trend; resident: Trend } {
  const since = interruptions.at(-1)?.to ?? 0;
  const later = samples.filter(({ at }) => at > since && at <= endedAt);
  const trend = (of: "heap" | "resident") => trendOf(later.map((sample) => [sample.at / 3_600_000, sample[of]]));
  return { heap: trend("heap"), resident: trend("resident") };
}
