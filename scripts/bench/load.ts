import autocannon from "autocannon";
import type { HttpRequest } from "./requests.ts";

/** Latencies in milliseconds. `unexpected` counts responses with another status than expected. */
export type Load = { rps: number; p50: number; p99: number; unexpected: number };

type Run = { status: number; seconds: number; connections: number };

/** Sends requests for some seconds. Each connection repeats its own share of them, one after the other. */
export async function load(url: string, requests: HttpRequest[], { status, seconds, connections }: Run): Promise<Load> {
  const latencies: number[] = [];
  let unexpected = 0;
  let opened = 0;
  const { duration, errors } = await autocannon({
    url,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const first = opened++;
      client.setRequests(requests.filter((_, index) => index % connections === first));
      client.on("response", (answered, _, milliseconds) => {
        if (answered !== status) unexpected++;
        latencies.push(milliseconds);
      });
    },
  });
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    rps: latencies.length / duration,
    p50: percentile(0.5),
    p99: percentile(0.99),
    unexpected: unexpected + errors,
  };
}
