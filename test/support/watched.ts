import { requireFewArguments } from "./function-arguments.ts";

export type Storage = "d1" | "durableObjects" | "r2";

/**
 * Wraps every outgoing call of a binding. It can count the call, refuse it, or lose its response. Calls that only read,
 * or only tell a limiter something, leave nothing behind in the shop even if they arrive. A batch has several statements.
 */
export type Around = <T>(storage: Storage, call: () => Promise<T>, reads: boolean, statements: number) => Promise<T>;

/** Returns bindings with `around` on each round trip. A Durable Object's own calls are not included. */
export function watched<Bindings extends object>(bindings: Bindings, around: Around): Bindings {
  const wrapped = Object.entries(bindings).map(([name, binding]) => [name, watch(name, binding, around)]);
  return Object.fromEntries(wrapped);
}

function watch(name: string, binding: unknown, around: Around): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  if (isDatabase(binding)) return database(binding, around);
  if (isNamespace(binding)) return namespace(binding, around, name.endsWith("_LIMITER"));
  return isBucket(binding) ? bucket(binding, around) : binding;
}

const isDatabase = (binding: object): binding is D1Database => "prepare" in binding && "batch" in binding;
const isNamespace = (binding: object): binding is DurableObjectNamespace => "getByName" in binding;
const isBucket = (binding: object): binding is R2Bucket => "head" in binding && "createMultipartUpload" in binding;

/** Includes the calls of multipart uploads. Resuming an upload is not a call. */
function bucket(real: R2Bucket, around: Around): R2Bucket {
  const counted = everything(around, "r2");
  const read = everything(around, "r2", true);
  const upload = (multipart: R2MultipartUpload) => wrap(multipart, {}, counted);
  return wrap(
    real,
    {
      head: read((...args) => Reflect.apply(real.head, real, args)),
      get: read((...args) => Reflect.apply(real.get, real, args)),
      list: read((...args) => Reflect.apply(real.list, real, args)),
      createMultipartUpload: async (key) =>
        upload(await around("r2", () => real.createMultipartUpload(String(key)), false, 0)),
      resumeMultipartUpload: (key, id) => upload(real.resumeMultipartUpload(String(key), String(id))),
    },
    counted,
  );
}

const namespace = (real: DurableObjectNamespace, around: Around, reads: boolean): DurableObjectNamespace =>
  wrap(real, {
    getByName: (...args) =>
      wrap(Reflect.apply(real.getByName, real, args), {}, everything(around, "durableObjects", reads)),
  });

function database<Real extends D1Database | D1DatabaseSession>(real: Real, around: Around): Real {
  const originals = new WeakMap<object, { prepared: D1PreparedStatement; reads: boolean }>();
  const statement = (prepared: D1PreparedStatement, reads: boolean): D1PreparedStatement => {
    const trip =
      (method: "all" | "first" | "run"): Method =>
      (...args) =>
        around("d1", () => Reflect.apply(prepared[method], prepared, args), reads, 1);
    const proxy = wrap(prepared, {
      bind: (...values) => statement(prepared.bind(...values), reads),
      all: trip("all"),
      first: trip("first"),
      // D1 does not report the rows of raw results.
      raw: async () => (await around("d1", () => prepared.all<object>(), reads, 1)).results.map(Object.values),
      run: trip("run"),
    });
    originals.set(proxy, { prepared, reads });
    return proxy;
  };
  return wrap(real, {
    ...("withSession" in real && {
      withSession: (start) => database(real.withSession(start as D1SessionBookmark), around),
    }),
    prepare: (query) => {
      requireFewArguments(String(query));
      return statement(real.prepare(String(query)), /^\s*select\b/i.test(String(query)));
    },
    batch: (statements) => {
      const all = (statements as D1PreparedStatement[]).map(
        (each) => originals.get(each) ?? { prepared: each, reads: false },
      );
      const run = () => real.batch(all.map(({ prepared }) => prepared));
      return around(
        "d1",
        run,
        all.every(({ reads }) => reads),
        all.length,
      );
    },
  });
}

type Method = (...args: unknown[]) => unknown;

/** Looks up `methods` by name, then `otherwise`, then the real object. */
function wrap<T extends object>(real: T, methods: Record<string, Method>, otherwise?: (call: Method) => Method): T {
  return new Proxy(real, {
    set(_, name, value) {
      methods[String(name)] = value;
      return true;
    },
    get(target, name) {
      const method = methods[String(name)];
      if (method) return method;
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const call: Method = (...args) => Reflect.apply(value, target, args);
      return otherwise ? otherwise(call) : call;
    },
  });
}

const everything =
  (around: Around, storage: Storage, reads = false) =>
  (call: Method): Method =>
  (...args) =>
    around(storage, async () => call(...args), reads, 0);
