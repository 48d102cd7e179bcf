import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { type HttpRequest, introduce } from "./requests.ts";
import type { Scenario } from "./scenarios.ts";
import type { Server } from "./server.ts";
import type { Cost } from "./workers/telling.ts";

/** The cost of a request to a Worker that reports it, at `url`. Does not use fetch, which cannot set `Host`. */
async function costOf(url: string, { path, body, ...options }: HttpRequest): Promise<Cost> {
  const sent = request(url + path, options).end(body);
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (!answer) throw new Error(`${path} was not answered`);
  await text(answer);
  return JSON.parse(String(answer.headers["x-cost"] ?? "{}"));
}

/** The cost of a scenario's second request, when caches are warm. */
export async function countScenario({ urlOf }: Server, { worker, prepare }: Scenario): Promise<Cost> {
  const url = urlOf(`${worker}-counted`);
  const [first, second = first] = await prepare(1, url);
  if (!first || !second) throw new Error("A scenario has no requests");
  await introduce(url, [first, second]);
  await costOf(url, first);
  return costOf(url, second);
}
