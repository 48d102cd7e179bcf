import { parseArgs } from "node:util";
import { policies } from "../src/platform/rate-limit/policies.ts";
import { runHistory } from "./limits/history.ts";
import { type Figures, meanOf, runLoad } from "./limits/load.ts";
import { loadsOf } from "./limits/loads.ts";

// `npm run simulate-limits` simulates the shares of a limit with discrete events, first under load without faults, then
// in random histories with every fault. A seed repeats its results. Exits with 1 if more than the limit was admitted.

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    runs: { type: "string", default: "5" },
    histories: { type: "string", default: "2000" },
    seed: { type: "string", default: "1" },
  },
});

const seed = Number(options.seed);
const seeds = Array.from({ length: Number(options.runs) }, (_, index) => seed + index);

const rows = (["premium", "standard"] as const).flatMap((tier) => {
  const { limit } = policies[tier];
  return loadsOf(limit).map(([load, places]) => {
    return { tier, load, ...meanOf(seeds.map((each) => runLoad(limit, places, Number(options.minutes), each))) };
  });
});

const histories = {
  admitted: 0,
  full: 0,
  above: [] as number[],
  deaths: 0,
  costly: [] as number[],
};
for (let each = seed; each < seed + Number(options.histories); each++) {
  const { epochs, costs } = runHistory(each);
  for (const { admitted, most, limit } of epochs) {
    histories.admitted += admitted;
    if (most === limit) histories.full++;
    if (most > limit) histories.above.push(each);
  }
  histories.deaths += costs.length;
  if (costs.some(({ cost, most }) => cost > most)) histories.costly.push(each);
}

console.table(rows.map(({ tier, load, ...figures }) => ({ load: `${tier}: ${load}`, ...rounded(figures) })));
console.log(`Seeds ${seeds.join(", ")}, ${options.minutes} minutes each.
${options.histories} random histories from seed ${seed}: ${histories.admitted} requests were admitted, the limit was reached exactly ${histories.full} times and exceeded ${histories.above.length} times ${histories.above.join(", ")}
${histories.deaths} times an object died and counted again; more than a tenth of its share was lost in ${histories.costly.length} histories ${histories.costly.join(", ")}`);
process.exitCode =
  histories.above.length + histories.costly.length > 0 ||
  rows.some(({ tier, most_in_60_s: most }) => most > policies[tier].limit)
    ? 1
    : 0;

function rounded(figures: Figures) {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(3))]));
}
