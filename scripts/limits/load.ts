import { randomOf } from "../random.ts";
import { Events } from "./events.ts";
import { Home } from "./home.ts";
import { Network, NO_FAULTS } from "./network.ts";
import { type Outcome, Region } from "./region.ts";

/** A region, its round trip to home and its requests per second. */
export type Place = { name: string; rttMs: number; perSecond: number };

/**
 * `local` is the share of admitted requests that waited for no other region; the waits are those of all admitted requests;
 * `messages` (a call and its response) and `writes` are per request. A refusal counts as "while free" if capacity elsewhere
 * was unused for longer than the longest round trip.
 */
export type Figures = {
  admitted: number;
  refused: number;
  local: number;
  mean_ms: number;
  p50_ms: number;
  p99_ms: number;
  messages: number;
  writes: number;
  refused_while_free: number;
  most_in_60_s: number;
};

/** Longest round trip as a multiple of the usual one. */
const SLOWEST = 1.3;

const nothing = () => 0;

/** Simulates random requests for some minutes without faults. */
export function runLoad(limit: number, places: Place[], minutes: number, seed: number): Figures {
  const events = new Events();
  const network = new Network(events, randomOf(seed), NO_FAULTS);
  const home = new Home(network, () => limit, nothing);
  const [admitted, refused]: [Outcome[], Outcome[]] = [[], []];
  const roundTripMs = SLOWEST * Math.max(...places.map(({ rttMs }) => rttMs));
  let whileFree = 0;
  const onRefused = (outcome: Outcome) => {
    refused.push(outcome);
    const unusedMs = Math.max(home.freeForMs(), ...regions.map((region) => region.unusedForMs()));
    if (unusedMs > roundTripMs) whileFree++;
  };
  const regions = places.map(({ name, rttMs }) => {
    const options = { name, rttMs, skew: nothing, limit: () => limit };
    return new Region(options, network, home, (outcome) => admitted.push(outcome), onRefused);
  });
  places.forEach(({ perSecond }, index) => {
    const random = randomOf(1_000 * seed + index);
    const arrive = () => {
      events.in((-Math.log(1 - random()) / perSecond) * 1_000, () => {
        regions[index]?.request();
        arrive();
      });
    };
    if (perSecond > 0) arrive();
  });
  events.runUntil(minutes * 60_000);

  const waits = admitted.map(({ isLocal, waitedMs }) => (isLocal ? 0 : waitedMs)).toSorted((a, b) => a - b);
  const sum = (of: (region: Region) => number) => regions.reduce((total, region) => total + of(region), 0);
  const requests = admitted.length + refused.length;
  return {
    admitted: admitted.length,
    refused: refused.length,
    local: admitted.filter(({ isLocal }) => isLocal).length / admitted.length,
    mean_ms: waits.reduce((total, wait) => total + wait, 0) / waits.length,
    p50_ms: waits[Math.floor(waits.length * 0.5)] ?? 0,
    p99_ms: waits[Math.floor(waits.length * 0.99)] ?? 0,
    messages: (sum(({ asks }) => asks) + home.recalls) / requests,
    writes: sum(({ writes }) => writes) / requests,
    refused_while_free: whileFree,
    most_in_60_s: mostWithin(admitted, 60_000),
  };
}

/** Figures of which the worst run counts. */
const WORST: (keyof Figures)[] = ["refused_while_free", "most_in_60_s"];

/** The mean of several runs, or the worst value of figures that must never occur. */
export function meanOf(runs: Figures[]): Figures {
  const [first] = runs;
  if (!first) throw new Error("There are no runs");
  const mean = { ...first };
  for (const name of Object.keys(first) as (keyof Figures)[]) {
    const values = runs.map((run) => run[name]);
    mean[name] = WORST.includes(name)
      ? Math.max(...values)
      : values.reduce((sum, value) => sum + value, 0) / runs.length;
  }
  return mean;
}

/** Maximum number of requests admitted within any span of this length. */
export function mostWithin(outcomes: Outcome[], spanMs: number): number {
  const times = outcomes.map(({ at }) => at).toSorted((a, b) => a - b);
  let [most, first] = [0, 0];
  times.forEach((time, index) => {
    while ((times[first] ?? time) <= time - spanMs) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
