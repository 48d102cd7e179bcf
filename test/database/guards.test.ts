import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Guard } from "../../scripts/database/guard.ts";
import { aUser } from "../support/shop.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** The guards declared in src/platform/db. */
      GUARDS: Guard[];
    }
  }
}

type Stored = { name: string; on: string; sql: string };

const stored = async (condition: string): Promise<Stored[]> =>
  (
    await env.DB.prepare(
      `SELECT name, tbl_name AS "on", sql FROM sqlite_master WHERE ${condition} ORDER BY rowid`,
    ).all<Stored>()
  ).results;

const written = (kind: Guard["kind"]) => env.GUARDS.filter((guard) => guard.kind === kind);
const textsByName = (guards: { name: string; sql: string }[]) =>
  Object.fromEntries(guards.map(({ name, sql }) => [name, sql]));

it("gives a migrated database exactly the views and full-text tables of the files", async () => {
  expect(textsByName(await stored("type = 'view'"))).toEqual(textsByName(written("view")));
  expect(textsByName(await stored("sql LIKE 'CREATE VIRTUAL TABLE %'"))).toEqual(textsByName(written("table")));
});

it("gives each table exactly the triggers of the files, in their order", async () => {
  const triggers = await stored("type = 'trigger'");
  expect(triggers).toHaveLength(written("trigger").length);
  for (const [table, found] of Map.groupBy(triggers, ({ on }) => on)) {
    const names = new Set(found.map(({ name }) => name));
    const files = written("trigger").filter(({ name }) => names.has(name));
    expect(
      found.map(({ sql }) => sql),
      table,
    ).toEqual(files.map(({ sql }) => sql));
  }
});

it("fills the lookup tables with the rows of the files", async () => {
  const filled = async () => {
    const tables = ["order_moves", "unpaid_limits"];
    const rows = await env.DB.batch(tables.map((table) => env.DB.prepare(`SELECT * FROM ${table}`)));
    return rows.map(({ results }) => results);
  };
  const migrated = await filled();
  const seeds = written("rows").filter(({ name }) => ["order_moves", "unpaid_limits"].includes(name));
  expect(new Set(seeds.map(({ name }) => name)).size).toBe(2);
  await env.DB.batch(seeds.flatMap(({ name, sql }) => [env.DB.prepare(`DELETE FROM ${name}`), env.DB.prepare(sql)]));
  expect(await filled()).toEqual(migrated);
});

it("refuses a value that its enumeration does not list, in a new row and in an update", async () => {
  const user = await aUser();
  const insert = env.DB.prepare(
    "INSERT INTO users (email, name, password_hash, role, created_at, updated_at) VALUES ('o@shop.test', 'O', '', 'owner', 1, 1)",
  );
  await expect(insert.run()).rejects.toThrow("value_not_listed");
  const update = env.DB.prepare("UPDATE users SET role = 'owner' WHERE id = ?").bind(user.id);
  await expect(update.run()).rejects.toThrow("value_not_listed");
});
