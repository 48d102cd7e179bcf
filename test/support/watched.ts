export type Storage = "d1" | "durableObjects" | "r2";

/** Stands around every call that goes out through a binding: may count it, refuse it, or lose its answer. */
export type Around = <T>(storage: Storage, call: () => Promise<T>) => Promise<T>;

/** A Worker's bindings with `around` on each round trip. What a Durable Object does for itself does not pass here. */
export function watched<Bindings extends object>(bindings: Bindings, around: Around): Bindings {
  const wrapped = Object.entries(bindings).map(([name, binding]) => [name, watch(binding, around)]);
  return Object.fromEntries(wrapped);
}

function watch(binding: unknown, around: Around): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  if (isDatabase(binding)) return database(binding, around);
  if (isNamespace(binding)) return namespace(binding, around);
  return isBucket(binding) ? bucket(binding, around) : binding;
}

const isDatabase = (binding: object): binding is D1Database => "prepare" in binding && "batch" in binding;
const isNamespace = (binding: object): binding is DurableObjectNamespace => "getByName" in binding;
const isBucket = (binding: object): binding is R2Bucket => "head" in binding && "createMultipartUpload" in binding;

/** With the calls of its multipart uploads; to resume one is none. */
function bucket(real: R2Bucket, around: Around): R2Bucket {
  const counted = everything(around, "r2");
  const upload = (multipart: R2MultipartUpload) => wrap(multipart, {}, counted);
  return wrap(
    real,
    {
      createMultipartUpload: async (key) => upload(await around("r2", () => real.createMultipartUpload(String(key)))),
      resumeMultipartUpload: (key, id) => upload(real.resumeMultipartUpload(String(key), String(id))),
    },
    counted,
  );
}

const namespace = (real: DurableObjectNamespace, around: Around): DurableObjectNamespace =>
  wrap(real, {
    getByName: (...args) => wrap(Reflect.apply(real.getByName, real, args), {}, everything(around, "durableObjects")),
  });

function database<Real extends D1Database | D1DatabaseSession>(real: Real, around: Around): Real {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const statement = (prepared: D1PreparedStatement): D1PreparedStatement => {
    const trip =
      (method: "all" | "first" | "run"): Method =>
      (...args) =>
        around("d1", () => Reflect.apply(prepared[method], prepared, args));
    const proxy = wrap(prepared, {
      bind: (...values) => statement(prepared.bind(...values)),
      all: trip("all"),
      first: trip("first"),
      // Of a raw answer D1 does not say how many rows it cost.
      raw: async () => (await around("d1", () => prepared.all<object>())).results.map(Object.values),
      run: trip("run"),
    });
    originals.set(proxy, prepared);
    return proxy;
  };
  return wrap(real, {
    ...("withSession" in real && {
      withSession: (start) => database(real.withSession(start as D1SessionBookmark), around),
    }),
    prepare: (query) => statement(real.prepare(String(query))),
    batch: (statements) =>
      around("d1", () => real.batch((statements as D1PreparedStatement[]).map((each) => originals.get(each) ?? each))),
  });
}

type Method = (...args: unknown[]) => unknown;

/** `methods` by name, else `otherwise`, else the real thing. */
function wrap<T extends object>(real: T, methods: Record<string, Method>, otherwise?: (call: Method) => Method): T {
  return new Proxy(real, {
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
  (around: Around, storage: Storage) =>
  (call: Method): Method =>
  (...args) =>
    around(storage, async () => call(...args));
