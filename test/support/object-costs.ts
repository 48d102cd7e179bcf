import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

/**
 * Costs of Durable Objects, by https://developers.cloudflare.com/durable-objects/platform/pricing/: requests, which
 * include alarms; rows written, which include each `setAlarm` and each deletion; and time in which they wait for a timer.
 */
export type ObjectCosts = { requests: number; alarms: number; rows: number; waitedMs: number };

type Method = (this: object, ...parameters: unknown[]) => unknown;

/** Counts what all objects are billed for, from the first request until no alarm is left. Needs a fake clock. */
export async function countObjectCosts(run: () => Promise<unknown>): Promise<ObjectCosts> {
  const costs: ObjectCosts = { requests: 0, alarms: 0, rows: 0, waitedMs: 0 };
  const keys = new Map<object, Set<unknown>>();
  const called = new Map<string, () => DurableObjectStub>();
  const storage = await runInDurableObject(env.USER_LIMITER.getByName("nobody"), (_, state) =>
    Object.getPrototypeOf(state.storage),
  );
  const spies = [
    before(storage, "put", (written, [entries]) => {
      const names = typeof entries === "object" && entries !== null ? Object.keys(entries) : [entries];
      costs.rows += names.length;
      keys.set(written, new Set([...(keys.get(written) ?? []), ...names]));
    }),
    before(storage, "delete", (written, [key]) => {
      costs.rows++;
      keys.get(written)?.delete(key);
    }),
    // The runtime counts one deletion for each key, and one if there is none: workerd, api/actor-state.c++.
    before(storage, "deleteAll", (written) => {
      costs.rows += Math.max(1, keys.get(written)?.size ?? 0);
      keys.delete(written);
    }),
    before(storage, "setAlarm", () => {
      costs.rows++;
    }),
    before(scheduler, "wait", (_, [ms, options]) => {
      costs.waitedMs += Number(ms);
      const { signal } = (options ?? {}) as { signal?: AbortSignal };
      signal?.addEventListener("abort", () => {
        costs.waitedMs -= Number(ms);
      });
    }),
    before(Object.getPrototypeOf(env.USER_LIMITER), "getByName", (namespace, [name], open) => {
      const [binding] = Object.entries(env).find(([, value]) => value === namespace) ?? [];
      if (binding)
        called.set(`${binding} ${name}`, () => open.call(Reflect.get(env, binding), name) as DurableObjectStub);
      costs.requests++;
    }),
  ];
  try {
    await run();
    for (;;) {
      const due = await alarmsOf([...called.values()].map((open) => open()));
      const next = Math.min(...due.map(({ at }) => at));
      if (!Number.isFinite(next)) return costs;
      vi.setSystemTime(Math.max(Date.now(), next));
      for (const { stub, at } of due) {
        if (at > next) continue;
        costs.alarms++;
        await runDurableObjectAlarm(stub);
      }
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function before(owner: object, name: string, count: (owner: object, parameters: unknown[], real: Method) => void) {
  const real: Method = Reflect.get(owner, name);
  const double: Method = function (...parameters) {
    count(this, parameters, real);
    return real.apply(this, parameters);
  };
  return vi.spyOn(owner as Record<string, Method>, name).mockImplementation(double);
}

async function alarmsOf(stubs: DurableObjectStub[]) {
  const found: { stub: DurableObjectStub; at: number }[] = [];
  for (const stub of stubs) {
    const at = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    if (at !== null) found.push({ stub, at });
  }
  return found;
}
