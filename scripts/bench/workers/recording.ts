/** A prepared statement with its bound values: numbers, texts and null, as Drizzle binds them. */
export type Statement = { query: string; values: (string | number | null)[] };

/** A batch, with the number of rows that D1 bills it for. */
export type Batch = { statements: Statement[]; rowsWritten: number };

type Keep = (batch: Batch) => void;

/** A database that records each batch. */
export function recording<Real extends D1Database | D1DatabaseSession>(real: Real, keep: Keep): Real {
  const statements = new WeakMap<object, Statement>();
  const recorded = (prepared: D1PreparedStatement, statement: Statement): D1PreparedStatement => {
    statements.set(prepared, statement);
    const bind = prepared.bind.bind(prepared);
    prepared.bind = (...values) => recorded(bind(...values), { ...statement, values: values as Statement["values"] });
    return prepared;
  };
  return new Proxy(real, {
    get(target, name) {
      if (name === "prepare") return (query: string) => recorded(real.prepare(query), { query, values: [] });
      if (name === "batch")
        return async (batch: D1PreparedStatement[]) => {
          const results = await real.batch(batch);
          const rowsWritten = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
          keep({ statements: batch.flatMap((prepared) => statements.get(prepared) ?? []), rowsWritten });
          return results;
        };
      if (name === "withSession" && "withSession" in target)
        return (start: D1SessionBookmark) => recording(target.withSession(start), keep);
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
