import { parseArgs } from "node:util";
import { fuzz } from "./fuzz/run.ts";

// `npm run fuzz -- --runs 20000 --seed 1` sends requests generated from the OpenAPI document and checks the responses
// against it.

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "2000" }, seed: { type: "string" } },
});
const seed = options.seed === undefined ? Date.now() % 2 ** 31 : Number(options.seed);
console.log(`${options.runs} requests, seed ${seed}`);
const seen = await fuzz(Number(options.runs), seed).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
for (const [operation, statuses] of seen) {
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`${operation.padEnd(28)} ${counts.join(", ")}`);
}
