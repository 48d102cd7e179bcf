/**
 * With two indexes, D1 counts a row as three, and each statement that writes rows counts one more for the id counter.
 */
export const createRows = [
  "CREATE TABLE IF NOT EXISTS written (id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER, kind TEXT, body TEXT)",
  "CREATE INDEX IF NOT EXISTS written_by_owner ON written (owner, id)",
  "CREATE INDEX IF NOT EXISTS written_by_kind ON written (kind, id)",
].join(";\n");

const BODY = JSON.stringify({ name: "Ada Lovelace", address: "12 St James's Square", city: "London", zip: "SW1Y 4JH" });

/** A batch of this many statements that writes about this many rows. The last statement reads, and all others write. */
export function statementsOf(database: D1Database, statements: number, rowsWritten: number): D1PreparedStatement[] {
  const owner = Math.floor(Math.random() * 10_000);
  const rows = Math.max(1, Math.round((rowsWritten / (statements - 1) - 1) / 3));
  const insert = database.prepare(`INSERT INTO written (owner, kind, body) VALUES ${Array(rows).fill("(?1, ?2, ?3)")}`);
  const writes = Array.from({ length: statements - 1 }, (_, index) => insert.bind(owner, `kind-${index}`, BODY));
  return [...writes, database.prepare("SELECT * FROM written WHERE owner = ? ORDER BY id DESC LIMIT 1").bind(owner)];
}
