import fc from "fast-check";
import { Callers } from "../callers.ts";
import { type Operation, operations } from "../document.ts";
import { type Draft, goodDrafts, type Kind } from "../requests.ts";
import { pathOf } from "../send.ts";
import type { World } from "../world.ts";
import type { Target } from "./dimensions.ts";

// The API's routes, each with a valid request by an authorized caller.

export function apiTargets(world: World, seed: number): Target[] {
  return operations.map((operation) => {
    // The effects of one route on its callers must not reach the next.
    const callers = new Callers(world);
    const [draft] = fc.sample(goodDrafts(operation), { seed, numRuns: 1 });
    return { name: `${operation.method} ${operation.path}`, open: () => opened(world, callers, operation, draft) };
  });
}

/** Created again for each request, because its caller has a rate limit and may be revoked by it. */
async function opened(world: World, callers: Callers, operation: Operation, draft: Draft | undefined) {
  const caller = await callers.of(whoMay(operation), operation);
  const settled = (value: unknown) => world.settle(value, caller.own);
  const text = (values: unknown) =>
    Object.fromEntries(Object.entries(Object(values)).map(([name, value]) => [name, String(value)]));
  return {
    url: world.shop + pathOf(operation.path, settled(draft?.path)),
    method: operation.method,
    seedling: {
      query: text(settled(draft?.query)),
      headers: caller.authorization === null ? {} : { Authorization: caller.authorization },
      body: draft?.body && !draft.body.raw ? { kind: "json" as const, value: settled(draft.body.text) } : null,
    },
  };
}

function whoMay({ security }: Operation): Kind {
  if (security.length === 0) return "anonymous";
  if (security.some(({ ApiKey }) => ApiKey)) return "key";
  return security.some(({ UserToken }) => UserToken?.length === 0) ? "customer" : "administrator";
}
