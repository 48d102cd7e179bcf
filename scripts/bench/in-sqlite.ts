import type { DatabaseSync } from "node:sqlite";
import { listProducts } from "../../src/catalogue/products/listing/list.ts";
import type { ProductsQuery } from "../../src/catalogue/products/listing/query.ts";
import { connect } from "../../src/platform/db/client.ts";

// Measures a list in SQLite alone, without D1 and HTTP.

type Statement = { text: string; parameters: (string | number)[] };

/** Milliseconds for a page by the list's own statement. */
export const timePage = async (database: DatabaseSync, query: ProductsQuery): Promise<number> =>
  time(database, await statementOf(database, query));

/** The statement that listProducts sends. */
export async function statementOf(database: DatabaseSync, query: ProductsQuery): Promise<Statement> {
  const sent: Statement[] = [];
  const recorder = {
    prepare: (text: string) => ({
      bind: (...parameters: (string | number)[]) => ({
        run: async () => {
          sent.push({ text, parameters });
          return { results: database.prepare(text).all(...parameters), meta: { duration: 0 } };
        },
      }),
    }),
  };
  // The only method of a D1 database that Drizzle calls to run a statement.
  await listProducts(connect(recorder as unknown as D1Database), query, true);
  const [statement] = sent;
  if (!statement) throw new Error("Nothing was sent");
  return statement;
}

const ENOUGH_MS = 100;

/** The shortest of several runs, because other work on the machine only adds to the time. */
function time(database: DatabaseSync, { text, parameters }: Statement): number {
  const statement = database.prepare(text);
  const began = performance.now();
  let shortest = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 3 || (runs < 50 && performance.now() - began < ENOUGH_MS); runs++) {
    const start = performance.now();
    statement.all(...parameters);
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}
