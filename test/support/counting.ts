import { env } from "cloudflare:workers";

/** Round trips of one request. What a Durable Object does for itself is not the Worker's and is not counted. */
export type Trips = { d1: number; durableObjects: number; r2: number };

const STATEMENT_CALLS = new Set(["all", "first", "raw", "run"]);

/** Bindings that count the round trips made through them. */
export function counted(): { bindings: Partial<Env>; trips: Trips } {
  const trips: Trips = { d1: 0, durableObjects: 0, r2: 0 };
  const namespace = <T extends Rpc.DurableObjectBranded | undefined>(real: DurableObjectNamespace<T>) =>
    spy(real, {
      getByName: (stub: DurableObjectStub) => spyOnEvery(stub, () => trips.durableObjects++),
    });
  const bindings = {
    DB: database(env.DB, () => trips.d1++),
    FILES: spyOnEvery(env.FILES, () => trips.r2++),
    API_KEY_LIMITER: namespace(env.API_KEY_LIMITER),
    USER_LIMITER: namespace(env.USER_LIMITER),
    ADDRESS_LIMITER: namespace(env.ADDRESS_LIMITER),
  };
  return { bindings, trips };
}

function database(real: D1Database, count: () => void): D1Database {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const statement = (prepared: D1PreparedStatement): D1PreparedStatement => {
    const proxy: D1PreparedStatement = new Proxy(prepared, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => statement(target.bind(...values));
        if (STATEMENT_CALLS.has(String(name))) count();
        return bound(target, name);
      },
    });
    originals.set(proxy, prepared);
    return proxy;
  };
  return new Proxy(real, {
    get(target, name) {
      if (name === "prepare") return (query: string) => statement(target.prepare(query));
      if (name !== "batch") return bound(target, name);
      return (statements: D1PreparedStatement[]) => {
        count();
        return target.batch(statements.map((each) => originals.get(each) ?? each));
      };
    },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: a proxy stands in for whatever it wraps
type Anything = any;

const bound = (target: Anything, name: string | symbol): Anything => {
  const value = Reflect.get(target, name);
  return typeof value === "function" ? value.bind(target) : value;
};

const spy = <T extends object>(real: T, results: Record<string, (result: Anything) => Anything>): T =>
  new Proxy(real, {
    get: (target, name) => {
      const wrap = results[String(name)];
      return wrap ? (...args: unknown[]) => wrap(bound(target, name)(...args)) : bound(target, name);
    },
  });

const spyOnEvery = <T extends object>(real: T, count: () => void): T =>
  new Proxy(real, {
    get:
      (target, name) =>
      (...args: unknown[]) => {
        count();
        return (target as Anything)[name](...args);
      },
  });
