import { randomOf } from "../random.ts";
import { Events } from "./events.ts";
import { Home } from "./home.ts";
import { mostWithin } from "./load.ts";
import { type Faults, Network } from "./network.ts";
import { type Cost, type Outcome, Region } from "./region.ts";

const MINUTES = 3;

/** Requests admitted under a limit while it was in force, and the maximum within 60 s. */
type Outcomes = { limit: number; admitted: number; most: number };

/** The outcome of a history, and the cost of each death of an object. */
export type History = { epochs: Outcomes[]; costs: Cost[] };

/**
 * Simulates a few regions under a limit that they could exceed many times over, while objects die and split, messages are
 * lost, late or duplicated, regions are cut off, clocks differ and the limit changes. The seed determines everything.
 */
export function runHistory(seed: number): History {
  const random = randomOf(seed);
  const pick = <T>(...values: [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0];
  const events = new Events();
  const faults: Faults = { lost: pick(0, 0.02, 0.3), twice: pick(0, 0.1), late: pick(0, 0.05) };
  const network = new Network(events, random, faults, pick(1, 5, 400));
  const epochs = [{ limit: pick(3, 10, 40, 100), since: 0 }];
  const admitted: Outcome[] = [];
  const limit = () => epochs.at(-1)?.limit ?? 0;
  const skew = () => Math.floor(900 * random());
  const home = new Home(network, limit, skew);
  const regions = Array.from({ length: pick(1, 2, 3, 5) }, (_, index) => {
    const offset = Math.floor(600_000 * random());
    const options = { name: `r${index}`, rttMs: pick(1, 80, 200), skew: () => offset + skew(), limit };
    return new Region(
      options,
      network,
      home,
      (outcome) => admitted.push(outcome),
      () => undefined,
    );
  });

  const often = (perMinute: number, run: () => void) => {
    if (perMinute === 0) return;
    for (let at = 0; at < MINUTES * 60_000; ) {
      at += (-Math.log(1 - random()) / perMinute) * 60_000;
      events.in(at, run);
    }
  };
  const toSome = (perMinute: number, happen: (region: Region) => void) =>
    often(perMinute, () => {
      const region = regions[Math.floor(random() * regions.length)];
      if (region) happen(region);
    });
  const burst = Math.ceil(limit() * random());
  for (const region of regions) often(pick(0.2, 1, 2) * limit(), () => region.request());
  toSome(1, (region) => Array.from({ length: burst }, () => region.request()));
  toSome(pick(0, 1, 6), (region) => region.die());
  toSome(pick(0, 2), (region) => region.split());
  toSome(pick(0, 1), (region) => region.retire());
  toSome(pick(0, 1), ({ name }) => {
    network.cutOff.add(name);
    events.in(100_000 * random(), () => network.cutOff.delete(name));
  });
  often(pick(0, 2), () => home.die());
  often(pick(0, 0, 0, 0, 1), () => epochs.push({ limit: pick(2, 5, 20, 60), since: events.now }));
  events.runUntil(MINUTES * 60_000);
  const outcomes = epochs.map(({ limit, since }, index) => {
    const until = epochs[index + 1]?.since ?? Number.POSITIVE_INFINITY;
    const within = admitted.filter(({ at }) => at >= since && at < until);
    return { limit, admitted: within.length, most: mostWithin(within, 60_000) };
  });
  return { epochs: outcomes, costs: regions.flatMap(({ costs }) => costs) };
}
