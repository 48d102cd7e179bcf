import fc from "fast-check";
import { Callers } from "./callers.ts";
import { checkResponse } from "./check-response.ts";
import { type Operation, operations } from "./document.ts";
import { drafts } from "./requests.ts";
import { type Exchange, send } from "./send.ts";
import { openWorld } from "./world.ts";

/** Count of each status by operation. */
export type SeenStatuses = Map<string, Map<number, number>>;

/**
 * Sends `runs` generated requests, equally distributed over operations, to the Worker whose modules are in `built`, or a new
 * build. Throws findings with the request that shows them.
 */
export async function fuzz(runs: number, seed: number, options: { built?: string } = {}): Promise<SeenStatuses> {
  const world = await openWorld(options);
  const callers = new Callers(world);
  const seen: SeenStatuses = new Map();
  const attempt = async (operation: Operation) => {
    const statuses = new Map<number, number>();
    seen.set(operation.operationId, statuses);
    const property = fc.asyncProperty(drafts(operation), async (draft) => {
      const caller = await callers.of(draft.kind, operation);
      const exchange = await send(world, operation, draft, caller);
      statuses.set(exchange.status, (statuses.get(exchange.status) ?? 0) + 1);
      if (exchange.status === 401 || isChange(operation, exchange)) callers.forget(draft.kind, operation);
      const [found] = checkResponse(operation, draft, exchange);
      if (found) throw new Error(`${found}\n${tell(draft.kind, exchange)}`);
    });
    await fc.assert(property, { seed, numRuns: Math.ceil(runs / operations.length) });
  };
  const found: Error[] = [];
  for (const operation of operations) {
    await attempt(operation).catch((error: Error) => found.push(error));
    if (operation.method !== "GET") await world.refresh();
  }
  await world.stop();
  if (found.length > 0) throw new AggregateError(found, found.map(wordsOf).join("\n\n"));
  return seen;
}

/** True if the request may have changed its caller, which must not reach the next request. */
const isChange = ({ method }: Operation, { status }: Exchange): boolean => method !== "GET" && status < 400;

/** A finding and how to reproduce it. */
const wordsOf = ({ message, cause, stack }: Error): string =>
  `${cause instanceof Error ? cause.message : stack}\n${message.split("\n").slice(0, 3).join("\n")}`;

const tell = (kind: string, { method, url, sent, status, headers, text }: Exchange): string =>
  [`${kind}: ${method} ${url}`, JSON.stringify(sent), `${status} ${text}`, JSON.stringify([...headers])]
    .map((line) => (line ?? "").slice(0, 2_000))
    .join("\n");
