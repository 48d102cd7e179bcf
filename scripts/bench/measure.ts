import { countScenario } from "./cost.ts";
import { type Load, load } from "./load.ts";
import { type HttpRequest, introduce, send } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Server } from "./server.ts";
import type { Cost } from "./workers/telling.ts";

export const ROUNDS = 9;

/** A measurement, with the floor's requests per second just before. */
type Round = Load & { floor: number };

/**
 * Measures each scenario right after its floor, because a machine's speed changes within seconds. Repeats this for
 * every round.
 */
export async function measure(server: Server, all: Map<string, Scenario>, seconds: number) {
  const subjects = new Map<string, { scenario: Scenario; cost: Cost; rounds: Round[] }>();
  for (const [name, scenario] of all) {
    subjects.set(name, { scenario, cost: await countScenario(server, scenario), rounds: [] });
  }
  const once = async (name: string, floor?: Load): Promise<Load | undefined> => {
    const subject = subjects.get(name);
    if (!subject) return undefined;
    const measured = await measureOnce(server, name, subject.scenario, seconds);
    subject.rounds.push({ ...measured, floor: (floor ?? measured).rps });
    return measured;
  };
  const isFloor = (name: string) => [...all].some(([other, { floor }]) => floor === name && other !== name);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, { floor }] of all) {
      if (isFloor(name)) continue;
      console.error(`round ${round} of ${ROUNDS}: ${name}`);
      await once(name, name === floor ? undefined : await once(floor));
    }
  }
  return Array.from(subjects, ([name, { scenario, cost, rounds }]) => ({
    name,
    ...figuresOf(rounds),
    floor: scenario.floor,
    d1_round_trips: cost.d1,
    rows_read: cost.rowsRead,
    rows_written: cost.rowsWritten,
    do_calls: cost.durableObjects,
  }));
}

async function measureOnce({ urlOf }: Server, name: string, scenario: Scenario, seconds: number): Promise<Load> {
  const { worker, status, connections, prepare } = scenario;
  const url = urlOf(worker);
  const requests = await prepare(seconds, url);
  await introduce(url, requests);
  const [first, ...unsent] = requests;
  await expectStatus(url, first, status);
  const measured = await load(url, unsent, { status, seconds, connections });
  if (measured.unexpected > 0) throw new Error(`${name}: ${measured.unexpected} answers were not ${status}`);
  await idle(urlOf("floor"));
  return measured;
}

/** Checks one response, so that a failing scenario stops with the reason. */
async function expectStatus(url: string, request: HttpRequest | undefined, expected: number): Promise<void> {
  if (!request) throw new Error("There is nothing to send");
  const answer = await send(url, request);
  const body = await answer.text();
  if (answer.status !== expected) throw new Error(`${request.path}: ${answer.status} instead of ${expected}: ${body}`);
}

/** Waits until background work of the last measurement has finished. */
async function idle(url: string): Promise<void> {
  for (let quick = 0; quick < 3; ) {
    const sentAt = performance.now();
    await (await send(url, { method: "GET", path: "/hono", headers: {} })).text();
    quick = performance.now() - sentAt < 10 ? quick + 1 : 0;
  }
}

/** Medians of all rounds. The ratio compares the requests answered per second with the floor's just before. */
const figuresOf = (rounds: Round[]) => ({
  rps: rounded(median(rounds.map(({ rps }) => rps)), 1),
  p50_ms: rounded(median(rounds.map(({ p50 }) => p50)), 2),
  p99_ms: rounded(median(rounds.map(({ p99 }) => p99)), 2),
  floor_ratio: rounded(sum(rounds.map(({ rps }) => rps)) / sum(rounds.map(({ floor }) => floor)), 3),
});

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
