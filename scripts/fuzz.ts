import { parseArgs } from "node:util";
import { type Cost, grow } from "./fuzz/growth/run.ts";
import { fuzz } from "./fuzz/run.ts";

// `npm run fuzz -- --runs 20000 --seed 1` sends requests generated from the OpenAPI document and checks the responses against
// it. `--growth` grows valid requests instead and fails if doubling the input more than triples the CPU time; `--only "POST
// /api"` selects routes. `--port 8791 --through http://127.0.0.1:4010` serves the shop at that port and sends through a
// validating proxy.

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "2000" },
    seed: { type: "string" },
    port: { type: "string", default: "0" },
    through: { type: "string" },
    growth: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const seed = options.seed === undefined ? Date.now() % 2 ** 31 : Number(options.seed);
const startedAt = performance.now();
const seconds = () => Math.round((performance.now() - startedAt) / 1000);
await (options.growth ? growAll() : fuzzAll());

async function fuzzAll() {
  console.log(`${options.runs} requests, seed ${seed}`);
  const route = { port: Number(options.port), through: options.through };
  const seen = await fuzz(Number(options.runs), seed, route).catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
  for (const [operation, statuses] of seen) {
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    console.log(`${operation.padEnd(28)} ${counts.join(", ")}`);
  }
  console.log(`Clean, in ${seconds()} s.`);
}

async function growAll() {
  const line = ({ route, dimension, once, twice }: Cost) =>
    `${route}, ${dimension}: ${once === null ? "" : `${once} ms, `}doubled ${twice} ms`;
  const { costs, wrong } = await grow(seed, new RegExp(options.only), (cost) => console.log(`Again: ${line(cost)}`));
  const slowest = Map.groupBy(
    costs.toSorted((a, b) => b.twice - a.twice),
    ({ route }) => route,
  );
  console.log(
    `${slowest.size} routes, ${costs.length} ways to grow, seed ${seed}, in ${seconds()} s. The slowest three:`,
  );
  for (const [cost] of [...slowest.values()].slice(0, 3)) if (cost) console.log(`  ${line(cost)}`);
  if (wrong.length === 0) return;
  console.error(["More than three times as much for double the input:", ...wrong.map(line)].join("\n  "));
  process.exitCode = 1;
}
