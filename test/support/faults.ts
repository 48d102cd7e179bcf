/** Error that the platform throws when a Durable Object cannot answer. The error's properties identify it. */
export const fault = (marks: { retryable?: true; overloaded?: true } = {}): Error =>
  Object.assign(new Error("the Durable Object cannot answer"), marks);

/** A namespace whose stubs fail in turn. Null means that one works. The last of `faults` applies to all later ones. */
export function failing<T extends Rpc.DurableObjectBranded | undefined>(
  real: DurableObjectNamespace<T>,
  faults: (Error | null)[],
) {
  let opened = 0;
  const open = (name: string) => {
    const thrown = faults[Math.min(opened++, faults.length - 1)];
    const fail = () => Promise.reject(thrown);
    return thrown
      ? { admit: fail, verify: fail, forget: fail, lastHour: fail, take: fail, succeed: fail }
      : real.getByName(name);
  };
  const namespace = new Proxy(real, {
    get: (target, name) => (name === "getByName" ? open : Reflect.get(target, name)),
  });
  return { namespace, opened: () => opened };
}

/** A database that runs a callback right after its first statement or batch, or after a later one. */
export function interleaved(real: D1Database, happen: () => Promise<unknown>, after = 1): D1Database {
  let answered = 0;
  const originals = new WeakMap<object, D1PreparedStatement>();
  const then = async <T>(answering: Promise<T>): Promise<T> => {
    const answer = await answering;
    answered += 1;
    if (answered === after) await happen();
    return answer;
  };
  const statement = (prepared: D1PreparedStatement): D1PreparedStatement => {
    let bind = (...values: unknown[]) => statement(prepared.bind(...values));
    const proxy = new Proxy(prepared, {
      // The limits of D1 wrap `bind`.
      set(_, name, value) {
        if (name === "bind") bind = value;
        return name === "bind";
      },
      get(target, name) {
        if (name === "bind") return bind;
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => then(Promise.resolve(Reflect.apply(value, target, args)));
      },
    });
    originals.set(proxy, prepared);
    return proxy;
  };
  const opened = <Real extends D1Database | D1DatabaseSession>(database: Real): Real =>
    new Proxy(database, {
      get(target, name) {
        if (name === "withSession" && "withSession" in target) {
          return (start: D1SessionBookmark) => opened(target.withSession(start));
        }
        if (name === "prepare") return (query: string) => statement(target.prepare(query));
        if (name === "batch") {
          return (statements: D1PreparedStatement[]) =>
            then(target.batch(statements.map((each) => originals.get(each) ?? each)));
        }
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return opened(real);
}
