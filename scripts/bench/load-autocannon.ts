import autocannon from "autocannon";
import type { Loader } from "./load.ts";

/** Each connection repeats its own share of the requests. */
export const loadWithAutocannon: Loader = async (url, requests, { status, seconds, connections }) => {
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
};
