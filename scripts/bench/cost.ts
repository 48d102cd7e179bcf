import { type HttpRequest, introduce, send } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Server } from "./server.ts";
import type { Cost } from "./workers/telling.ts";

/** What a request costs its Worker; `url` is that of one that tells. */
export async function costOf(url: string, request: HttpRequest): Promise<Cost> {
  const answer = await send(url, request);
  await answer.arrayBuffer();
  return JSON.parse(answer.headers.get("X-Cost") ?? "{}");
}

/** The cost of a scenario's second request: the first one finds nothing warm. */
export async function countScenario({ urlOf }: Server, { worker, prepare }: Scenario): Promise<Cost> {
  const url = urlOf(`${worker}-counted`);
  const [first, second = first] = await prepare(1, url);
  if (!first || !second) throw new Error("A scenario has no requests");
  await introduce(url, [first, second]);
  await costOf(url, first);
  return costOf(url, second);
}
