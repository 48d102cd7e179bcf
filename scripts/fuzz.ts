import { parseArgs } from "node:util";
import { fuzz } from "./fuzz/run.ts";

// `npm run fuzz -- --runs 20000 --seed 1`: requests generated from the OpenAPI document, and the answers held to it.
// `--port 8791 --through http://127.0.0.1:4010` has the shop at that port, and sends through a proxy that validates.

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "2000" },
    seed: { type: "string" },
    port: { type: "string", default: "0" },
    through: { type: "string" },
  },
});
const seed = options.seed === undefined ? Date.now() % 2 ** 31 : Number(options.seed);
const startedAt = performance.now();
console.log(`${options.runs} requests, seed ${seed}`);
const seen = await fuzz(Number(options.runs), seed, { port: Number(options.port), through: options.through }).catch(
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
for (const [operation, statuses] of seen) {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`${operation.padEnd(28)} ${counts.join(", ")}`);
}
console.log(`Clean, in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
