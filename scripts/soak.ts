import { cpSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { openCallers } from "./bench/callers.ts";
import { askFacts } from "./bench/facts.ts";
import { load } from "./bench/load.ts";
import { scenarios } from "./bench/scenarios.ts";
import { seeded } from "./bench/seed.ts";
import { serve } from "./bench/server.ts";
import { newSecrets } from "./secrets.ts";
import { measureAlive } from "./soak/isolates.ts";
import { ownRuntime, residentBytes } from "./soak/resident.ts";
import { type Trend, trendOf } from "./soak/trend.ts";

// `npm run soak`: whether memory comes to rest under full load with ever new callers. It ends with 1 where the Worker leaks.

// wrangler prints to stdout, which is reserved for the report.
const report = (text: string) => process.stdout.write(`${text}\n`);
console.log = console.error;

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    products: { type: "string", default: "1000" },
    only: {
      type: "string",
      default: "list-warm,product-warm,list-cold,list-search,order,cart-add,download,forged-key",
    },
  },
});

/** Seconds for which each kind of request is sent, with new callers each time. */
const SECONDS = 5;
const MB = 1_000_000;

const RUN = ".bench/soak";
const kept = await seeded(Number(options.products));
rmSync(RUN, { recursive: true, force: true });
cpSync(kept, RUN, { recursive: true });
const server = await serve(["shop", "shop-counted"], RUN, await newSecrets(), 0, true);
const url = server.urlOf("shop");
const callers = await openCallers(server.env);
const all = scenarios(callers, await askFacts(server, callers));
const pid = ownRuntime();
const startedAt = Date.now();
const hours = () => (Date.now() - startedAt) / 3_600_000;

let answered = 0;
const credentials = new Set<string | undefined>();
const samples: { at: number; resident: number; shop: number }[] = [];

report(
  "| minute | answers | credentials | workerd, MB | after collection, MB | alive in the Worker, MB | alive in the simulators, MB |",
);
report("|---|---|---|---|---|---|---|");
await sample();
while (hours() * 60 < Number(options.minutes)) {
  for (const name of options.only.split(",")) await sendSome(name);
  await sample();
}
await server.stop();

const inMb = (bytes: number): string => (bytes / MB).toFixed(1);
const told = (what: string, { verdict, level, perHour }: Trend): string =>
  `${what}: ${verdict} at ${inMb(level)} MB, ${inMb(perHour)} MB an hour in the second half`;
const worker = trendOf(samples.map(({ at, shop }) => [at, shop]));
report(`\n${told("The Worker's heap", worker)}`);
report(told("workerd with all that it simulates", trendOf(samples.map(({ at, resident }) => [at, resident]))));
if (worker.verdict === "leak") process.exitCode = 1;

async function sendSome(name: string): Promise<void> {
  const scenario = all.get(name);
  if (!scenario) throw new Error(`There is no ${name}: choose of ${[...all.keys()].join(", ")}`);
  const { prepare, status, connections } = scenario;
  const requests = await prepare(SECONDS, url);
  for (const { headers } of requests) credentials.add(headers.Authorization);
  const { rps, unexpected } = await load(url, requests, { status, seconds: SECONDS, connections });
  if (unexpected > 0) console.error(`${name}: ${unexpected} answers were not ${status}`);
  answered += rps * SECONDS;
}

async function sample(): Promise<void> {
  const at = hours();
  const loaded = residentBytes(pid);
  const { shop, others } = await measureAlive(await server.inspector());
  const resident = residentBytes(pid);
  samples.push({ at, resident, shop });
  const cells = [
    (at * 60).toFixed(1),
    Math.round(answered),
    credentials.size,
    ...[loaded, resident, shop, others].map((bytes) => (bytes / MB).toFixed(1)),
  ];
  report(`| ${cells.join(" | ")} |`);
}
