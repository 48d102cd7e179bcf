/** A database that accepts statements and fails every one of them. */
export function faultyDatabase(fault: string): D1Database {
  const fail = async () => {
    throw new Error(fault);
  };
  const prepared = { bind: () => prepared, all: fail, first: fail, raw: fail, run: fail };
  const database: Omit<D1Database, "dump"> & Pick<D1DatabaseSession, "getBookmark"> = {
    withSession: () => database as unknown as D1DatabaseSession,
    getBookmark: () => null,
    prepare: () => prepared as unknown as D1PreparedStatement,
    batch: fail,
    exec: fail,
  };
  return database as unknown as D1Database;
}
