import { Console } from "node:console";
import { parseArgs } from "node:util";
import { startup, type WorkerName } from "./bench/build.ts";
import { askFacts, sendOrderToFloors } from "./bench/facts.ts";
import { measure, ROUNDS } from "./bench/measure.ts";
import { type Scenario, scenarios } from "./bench/scenarios.ts";
import { openShop } from "./bench/shop.ts";

// `npm run bench`: the built Worker next to a minimal Worker (the floor of the platform), in one workerd, on a copy of
// a seeded database.

// wrangler prints to stdout, which is reserved for the report.
const report = new Console(process.stdout);
console.log = console.error;

const { values: options } = parseArgs({
  options: {
    products: { type: "string", default: "1000" },
    seconds: { type: "string", default: "2" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const names: WorkerName[] = ["shop", "floor", "shop-counted", "floor-counted"];
const { server, callers } = await openShop(names, ".bench/run", { products: Number(options.products) });
await fetch(`${server.urlOf("floor")}/tables`, { method: "POST" });
const facts = await askFacts(server, callers);
await sendOrderToFloors(server, facts);
const chosen = choose(scenarios(callers, facts), options.only?.split(","));
const rows = await measure(server, chosen, Number(options.seconds));
await server.stop();
if (options.json) report.log(JSON.stringify({ rows }));
else report.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])));
console.error(
  [
    `${options.products} products, medians of ${ROUNDS} rounds of ${options.seconds} s, each right after its floor.`,
    "Each round has API keys and users of its own, enough to stay below every limit; refused-key sends keys that are spent.",
    `Start: ${startup()}`,
  ].join("\n"),
);

/** The requested scenarios and their floors. */
function choose(all: Map<string, Scenario>, only?: string[]): Map<string, Scenario> {
  const unknown = only?.find((name) => !all.has(name));
  if (unknown) throw new Error(`There is no ${unknown}: choose of ${[...all.keys()].join(", ")}`);
  const wanted = new Set(only?.flatMap((name) => [name, all.get(name)?.floor]));
  return only ? new Map([...all].filter(([name]) => wanted.has(name))) : all;
}
