import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { statementOf } from "../../../../../scripts/bench/in-sqlite.ts";
import { migrated, migrationFiles } from "../../../../../scripts/database/migrations.ts";
import { ProductsQuery } from "../../../../../src/catalogue/products/listing/query.ts";

type Database = ReturnType<typeof migrated>;
let database: Database;

/** Number of authorizer calls by SQLite, which it makes while it prepares a statement. */
let asked = 0;

beforeAll(() => {
  database = migrated(migrationFiles());
  database.exec("INSERT INTO categories (name, slug, created_at, updated_at) VALUES ('Paper', 'paper', 0, 0)");
  database.setAuthorizer(() => {
    asked++;
    return 0;
  });
});

afterAll(() => database.close());

/** True if binding other values makes SQLite prepare a stored statement again. */
function isPreparedAnew(text: string, ...values: (string | number)[][]): boolean {
  const statement = database.prepare(text);
  return values.some((bound) => {
    const before = asked;
    statement.all(...bound);
    return asked > before;
  });
}

it("is noticed if a LIMIT is a bound value", () => {
  expect(isPreparedAnew("SELECT id FROM products LIMIT ?", [1], [2])).toBe(true);
});

describe.each(["newest", "price", "-price", "name"])("a list by %s", (sort) => {
  it.each([
    "",
    "page=100",
    "category=paper",
    "status=active&type=digital&in_stock=true&category=paper&page=20",
    "min_price=1&max_price=100",
    "min_price=1&max_price=100&page=9&category=paper&in_stock=false",
    "search=velvet",
    "search=velvet&type=digital&category=paper&page=2",
  ])("keeps its plan: %s", async (list) => {
    const query = { ...Object.fromEntries(new URLSearchParams(list)), sort };
    const { text, parameters } = await statementOf(database, ProductsQuery.parse(query));
    const others = parameters.map((value) => (typeof value === "number" ? value + 1 : value));
    expect(isPreparedAnew(text, parameters, others)).toBe(false);
  });
});
