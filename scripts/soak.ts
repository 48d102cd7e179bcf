import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { checkEverything, sizesOf } from "./soak/check.ts";
import { openClient, UnexpectedAnswer } from "./soak/client.ts";
import { openGreedy } from "./soak/limits.ts";
import { openModel } from "./soak/model.ts";
import { openMailService, openWebhookReceiver } from "./soak/receivers.ts";
import { isFlat, memoryTrends, page } from "./soak/report.ts";
import { openShop } from "./soak/shop.ts";
import { openShoppers } from "./soak/shoppers.ts";
import { openStaff } from "./soak/staff.ts";

// `npm run soak` simulates an hour of a shop's life, with a kill and a deployment in it. Exits with 1 if anything was
// lost or duplicated, or if memory grows.

// wrangler prints to stdout, which is reserved for the report.
const print = (text: string) => process.stdout.write(text);
console.log = console.error;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "8" },
    products: { type: "string", default: "1000" },
    port: { type: "string", default: "0" },
    out: { type: "string" },
  },
});

const MINUTE_MS = 60_000;
const DRAIN_MS = 12 * MINUTE_MS;
/** Maximum number of simultaneous visits. Further callers wait, so that a slow machine is not overloaded. */
const MOST_AT_ONCE = 150;
/**
 * Periods in which the receiver of webhooks answers only 500, as shares of the duration. Short runs could not catch up.
 */
const OUT = { from: 0.6, to: 0.7, fromMinutes: 30 };

const length = Number(options.minutes) * MINUTE_MS;
const [receiver, mail] = await Promise.all([openWebhookReceiver(), openMailService()]);
const shop = await openShop(Number(options.products), Number(options.port), {
  RESEND_API_KEY: "re_soak",
  RESEND_API_URL: mail.url,
});
const client = openClient(shop);
const model = openModel();
const staff = await openStaff({ shop, client, model, webhookUrl: receiver.url });
receiver.signedBy(staff.secret);
const shoppers = openShoppers({ shop, client, model, staff, pauseMs: Math.min(60_000, length / 10) });
const limits = await openGreedy(shop, client);

const startedAt = Date.now();
const endsAt = startedAt + length;
const shareOver = () => (Date.now() - startedAt) / length;
let isOver = false;
const visits = new Set<Promise<void>>();

/** Records a fault where it happens, which ends only the visit. */
const noted = (work: Promise<void>): Promise<void> =>
  work.catch((error) => {
    if (!(error instanceof UnexpectedAnswer)) client.fault(String(error instanceof Error ? error.stack : error));
  });

const recurring = (seconds: number, duty: () => Promise<unknown>): Promise<void> =>
  (async () => {
    while (!isOver) {
      await noted(duty().then(() => {}));
      for (const until = Date.now() + seconds * 1_000; !isOver && Date.now() < until; ) await setTimeout(250);
    }
  })();

const duties = [
  recurring(60, shop.runSchedule),
  recurring(60, shop.sample),
  ...staff.duties.map(([seconds, duty]) => recurring(seconds, duty)),
];

const incidents = [
  { at: 1 / 6, act: shop.kill },
  { at: 0.5, act: shop.deploy },
  ...(Number(options.minutes) >= OUT.fromMinutes
    ? [
        { at: OUT.from, act: async () => receiver.setOut(true) },
        { at: OUT.to, act: async () => receiver.setOut(false) },
      ]
    : []),
];

for (let nextAt = Date.now(); Date.now() < endsAt; ) {
  if (incidents[0] && shareOver() >= incidents[0].at) void noted(incidents.shift()?.act() ?? Promise.resolve());
  if (visits.size < MOST_AT_ONCE) {
    const visit = noted(shoppers.visit()).finally(() => visits.delete(visit));
    visits.add(visit);
  }
  nextAt = Math.max(Date.now(), nextAt + 1_000 / Number(options.rate));
  await setTimeout(nextAt - Date.now());
}
await Promise.all(visits);
const endedAt = Date.now();
await limits.stop();
await drain();
isOver = true;
await Promise.all(duties);

const world = { shop, client, model, receiver, mail, greedy: limits.greedy };
const checks = await checkEverything(world);
const trends = memoryTrends(shop, endedAt);
const rows = (await sizesOf(shop, await tablesOf())).filter(([, n]) => n > 0);
const report = page({ startedAt, endedAt, drainedAt: Date.now(), ...world, checks, trends, rows });
if (options.out) writeFileSync(options.out, report);
print(report);
await shop.stop();
receiver.close();
mail.close();
process.exit(checks.some(({ wrong }) => wrong.length > 0) || !isFlat(trends) ? 1 : 0);

/** The shop's tables, excluding those of the search and the platform. */
async function tablesOf(): Promise<string[]> {
  const all = await shop.query<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  return all.map(({ name }) => name).filter((name) => !/^_|^sqlite_|^d1_|_search/.test(name));
}

/** Waits until nothing is left to be sent, confirmed or processed. */
async function drain(): Promise<void> {
  const waiting = `SELECT (SELECT count(*) FROM emails WHERE due_at IS NOT NULL) + (SELECT count(*) FROM jobs WHERE finished_at IS NULL)
    + (SELECT count(*) FROM test_payments WHERE confirm_at IS NOT NULL) + (SELECT count(*) FROM failed_items) AS n,
    (SELECT max(id) FROM events) - (SELECT after_id FROM event_cursors WHERE reader = 'e-mails') AS unread,
    (SELECT count(*) FROM events WHERE type LIKE 'order.%' OR type LIKE 'shipment.%' OR type LIKE 'refund.%' OR type LIKE 'package.%') AS events`;
  for (const until = Date.now() + DRAIN_MS; Date.now() < until; await setTimeout(2_000)) {
    const [left] = await shop.query<{ n: number; unread: number; events: number }>(waiting);
    if (left && left.n + left.unread === 0 && left.events <= receiver.delivered.size) return;
    console.error(`draining: ${JSON.stringify(left)}, ${receiver.delivered.size} delivered`);
    if (Date.now() % 10_000 < 2_000) await shop.runSchedule();
  }
}
