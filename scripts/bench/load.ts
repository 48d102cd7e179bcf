import { spawnSync } from "node:child_process";
import { loadWithAutocannon } from "./load-autocannon.ts";
import { loadWithWrk } from "./load-wrk.ts";
import type { HttpRequest } from "./requests.ts";

/** Latencies in milliseconds. `unexpected` counts responses with another status than expected. */
export type Load = { rps: number; p50: number; p99: number; unexpected: number };

/** Sends `requests` repeatedly for some seconds: each connection sends the next one after a response. */
export type Loader = (
  url: string,
  requests: HttpRequest[],
  run: { status: number; seconds: number; connections: number },
) => Promise<Load>;

const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

/** Uses wrk if it is installed, because it needs less CPU, and autocannon otherwise. */
export const load: Loader = hasWrk ? loadWithWrk : loadWithAutocannon;

export const loader = hasWrk ? "wrk" : "autocannon";
