import { type Load, load } from "./load.ts";
import { introduce, send } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Server } from "./server.ts";

const ROUNDS = 5;

/** Medians of all rounds. `ratio` is to the floor's requests a second of the moment before. */
export type Measured = Load & { ratio: number };

/** Measures each scenario right after its floor, since machines change within seconds; then all of them again. */
export async function measure(
  server: Server,
  all: Map<string, Scenario>,
  seconds: number,
): Promise<Map<string, Measured>> {
  const rounds = new Map<string, Measured[]>();
  const once = async (name: string, scenario: Scenario, floor?: Load): Promise<Load> => {
    const measured = await measureOnce(server, name, scenario, seconds);
    const ratio = floor ? measured.rps / floor.rps : 1;
    rounds.set(name, [...(rounds.get(name) ?? []), { ...measured, ratio }]);
    return measured;
  };
  const isFloor = (name: string) => [...all].some(([other, { floor }]) => floor === name && other !== name);
  const subjects = [...all].filter(([name]) => !isFloor(name));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, scenario] of subjects) {
      console.error(`round ${round} of ${ROUNDS}: ${name}`);
      const floor = name === scenario.floor ? undefined : all.get(scenario.floor);
      await once(name, scenario, floor && (await once(scenario.floor, floor)));
    }
  }
  return new Map([...all.keys()].map((name) => [name, medians(rounds.get(name) ?? [])]));
}

async function measureOnce({ urlOf }: Server, name: string, scenario: Scenario, seconds: number): Promise<Load> {
  const { worker, status, connections, prepare } = scenario;
  const url = urlOf(worker);
  const requests = await prepare(seconds, url);
  await introduce(url, requests);
  const measured = await load(url, requests, { status, seconds, connections });
  if (measured.unexpected > 0) throw new Error(`${name}: ${measured.unexpected} answers were not ${status}`);
  await idle(urlOf("floor"));
  return measured;
}

/** Until nothing of the last measurement is left to be done. */
async function idle(url: string): Promise<void> {
  for (let quick = 0; quick < 3; ) {
    const sentAt = performance.now();
    await (await send(url, { method: "GET", path: "/hono", headers: {} })).text();
    quick = performance.now() - sentAt < 10 ? quick + 1 : 0;
  }
}

const medians = (rounds: Measured[]): Measured => ({
  rps: median(rounds.map(({ rps }) => rps)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  unexpected: 0,
  ratio: median(rounds.map(({ ratio }) => ratio)),
});

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
