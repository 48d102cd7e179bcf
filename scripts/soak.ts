import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { aReceiver } from "../test/server/receiver.ts";
import { findProblems } from "./soak/check.ts";
import { openClient } from "./soak/client.ts";
import { openMailService } from "./soak/mail-service.ts";
import { heapTrend, page } from "./soak/report.ts";
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
    out: { type: "string" },
  },
});

const MINUTE_MS = 60_000;
const DRAIN_MS = 12 * MINUTE_MS;
/** Maximum number of simultaneous visits. Further callers wait, so that a slow machine is not overloaded. */
const MOST_AT_ONCE = 150;

const length = Number(options.minutes) * MINUTE_MS;
const receiver = await aReceiver((id) => id % 29 === 0);
const mail = await openMailService();
const shop = await openShop(Number(options.products), { RESEND_API_KEY: "re_soak", RESEND_API_URL: mail.url });
const client = openClient(shop);
const staff = await openStaff(shop, client, receiver.url);
receiver.signedBy(staff.secret);
const shoppers = openShoppers({ shop, client, stock: staff.stock, pauseMs: Math.min(MINUTE_MS, length / 10) });

const startedAt = Date.now();
let isOver = false;

/** Records an error, which ends only the work that it occurs in. */
const noted = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error) => client.fault(String(error instanceof Error ? error.stack : error)));

async function recurring(seconds: number, duty: () => Promise<unknown>): Promise<void> {
  while (!isOver) {
    await noted(duty());
    for (const until = Date.now() + seconds * 1_000; !isOver && Date.now() < until; ) await setTimeout(250);
  }
}

const duties = [
  recurring(60, shop.runSchedule),
  recurring(60, shop.sample),
  ...staff.duties.map(([seconds, duty]) => recurring(seconds, duty)),
];
const incidents = [
  { at: 1 / 6, act: shop.kill },
  { at: 0.5, act: shop.deploy },
].map(({ at, act }) => setTimeout(at * length).then(() => noted(act())));

const visits = new Set<Promise<unknown>>();
for (let nextAt = Date.now(); Date.now() < startedAt + length; ) {
  if (visits.size < MOST_AT_ONCE) {
    const visit = noted(shoppers.visit()).finally(() => visits.delete(visit));
    visits.add(visit);
  }
  nextAt = Math.max(Date.now(), nextAt + 1_000 / Number(options.rate));
  await setTimeout(nextAt - Date.now());
}
await Promise.all([...visits, ...incidents]);
const endedAt = Date.now();
isOver = true;
await Promise.all(duties);
await drain();

const { placed, counts: shopped } = shoppers;
const problems = await findProblems({ shop, client, staff, placed, receiver, mails: mail.delivered });
const counts = { orders: placed.size, ...shopped, ...staff.counts, delivered: receiver.received.length };
const heap = heapTrend(shop, endedAt);
const report = page({ startedAt, endedAt, shop, client, counts, problems, heap });
if (options.out) writeFileSync(options.out, report);
print(report);
await shop.stop();
receiver.close();
mail.close();
const isClean = Object.values(problems).every((found) => found.length === 0) && heap.verdict === "plateau";
process.exit(isClean ? 0 : 1);

/** Waits until nothing is left to be sent, confirmed or processed. */
async function drain(): Promise<void> {
  const waiting = `SELECT (SELECT count(*) FROM emails WHERE due_at IS NOT NULL) + (SELECT count(*) FROM jobs WHERE finished_at IS NULL)
    + (SELECT count(*) FROM test_payments WHERE confirm_at IS NOT NULL) + (SELECT count(*) FROM failed_items)
    + (SELECT max(id) FROM events) - (SELECT after_id FROM event_cursors WHERE reader = 'e-mails') AS left,
    (SELECT count(*) FROM events WHERE type LIKE 'order.%') AS events`;
  for (const until = Date.now() + DRAIN_MS; Date.now() < until; await setTimeout(5_000)) {
    await shop.runSchedule();
    const [now] = await shop.query<{ left: number; events: number }>(waiting);
    if (now && now.left === 0 && now.events <= new Set(receiver.received.map(({ id }) => id)).size) return;
    console.error(`draining: ${JSON.stringify(now)}, ${receiver.received.length} delivered`);
  }
}
