import { type Load, load } from "./load.ts";
import { introduce, send } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Server } from "./server.ts";

const ROUNDS = 5;

/** Measures all scenarios one after the other, then all again, back and forth; answers each one's medians. */
export async function measure(server: Server, all: Map<string, Scenario>, seconds: number): Promise<Map<string, Load>> {
  const rounds = new Map<string, Load[]>([...all.keys()].map((name) => [name, []]));
  for (let round = 1; round <= ROUNDS; round++) {
    const order = round % 2 ? [...all] : [...all].reverse();
    for (const [name, scenario] of order) {
      console.error(`round ${round} of ${ROUNDS}: ${name}`);
      rounds.get(name)?.push(await measureOnce(server, name, scenario, seconds));
    }
  }
  return new Map([...rounds].map(([name, loads]) => [name, medians(loads)]));
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

const medians = (loads: Load[]): Load => ({
  rps: median(loads.map(({ rps }) => rps)),
  p50: median(loads.map(({ p50 }) => p50)),
  p99: median(loads.map(({ p99 }) => p99)),
  unexpected: 0,
});

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
