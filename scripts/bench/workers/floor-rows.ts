/** Two indexes and a counter of ids: what one statement of an order writes on average, four rows as D1 counts them. */
export const createRows = [
  "CREATE TABLE IF NOT EXISTS written (id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER, kind TEXT, body TEXT)",
  "CREATE INDEX IF NOT EXISTS written_by_owner ON written (owner, id)",
  "CREATE INDEX IF NOT EXISTS written_by_kind ON written (kind, id)",
].join(";\n");

const BODY = JSON.stringify({ name: "Ada Lovelace", address: "12 St James's Square", city: "London", zip: "SW1Y 4JH" });

/** A batch of as many statements: it writes with all but the last, which reads. */
export function statementsOf(database: D1Database, statements: number): D1PreparedStatement[] {
  const owner = Math.floor(Math.random() * 10_000);
  const insert = database.prepare("INSERT INTO written (owner, kind, body) VALUES (?, ?, ?)");
  const writes = Array.from({ length: statements - 1 }, (_, index) => insert.bind(owner, `kind-${index}`, BODY));
  return [...writes, database.prepare("SELECT * FROM written WHERE owner = ? ORDER BY id DESC LIMIT 1").bind(owner)];
}
