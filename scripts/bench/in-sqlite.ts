import type { DatabaseSync } from "node:sqlite";
import { sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { listProducts } from "../../src/catalogue/products/listing/list.ts";
import { idsAlong } from "../../src/catalogue/products/listing/page.ts";
import { type ProductsQuery, sortOrderOf } from "../../src/catalogue/products/listing/query.ts";
import { connect } from "../../src/platform/db/client.ts";
import { limitTo } from "../../src/platform/db/page.ts";

// Measures a list in SQLite alone, without D1 and HTTP.

type Statement = { text: string; parameters: (string | number)[] };

/** Milliseconds for a page by the list's own statement and by a minimal one, the statement's length, and the total. */
export async function timePage(database: DatabaseSync, query: ProductsQuery) {
  const [sent, items] = await statementOf(database, query);
  return {
    ms: time(database, sent),
    bare: time(database, bareStatement(query, items)),
    bytes: sent.text.length,
    items,
  };
}

/** The statement that listProducts sends, and the total that it returns. */
export async function statementOf(database: DatabaseSync, query: ProductsQuery): Promise<[Statement, number]> {
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
  const { totalItems } = await listProducts(connect(recorder as unknown as D1Database), query, true);
  const [statement] = sent;
  if (!statement) throw new Error("Nothing was sent");
  return [statement, totalItems];
}

/** Reads the products of the page from the index in their order, starting at its nearer end. */
function bareStatement(query: ProductsQuery, items: number): Statement {
  const { order, backwards } = sortOrderOf[query.sort];
  const offset = (query.page - 1) * query.per_page;
  const isNearEnd = offset > items / 2;
  const skipped = isNearEnd ? Math.max(0, items - offset - query.per_page) : offset;
  const taken = isNearEnd ? Math.min(query.per_page, items - offset) : query.per_page;
  const ids = idsAlong(query, order, { backwards: backwards !== isNearEnd, limit: limitTo(taken, skipped) });
  const page = sql`
    WITH asked AS (SELECT (SELECT id FROM categories WHERE slug = ${query.category ?? ""}) AS category)
    SELECT * FROM products WHERE id IN (${ids})`;
  const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(page);
  return {
    text,
    parameters: params.map((value) => (typeof value === "number" ? value : Number(value) || String(value))),
  };
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
