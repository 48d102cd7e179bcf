import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { contractsAfter, incompatibilities } from "../../../../scripts/database/compatibility.ts";
import { changedReleases, checksum } from "../../../../scripts/database/released.ts";

const folder = mkdtempSync(join(tmpdir(), "compatibility-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, statements: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, statements.join("\n--> statement-breakpoint\n"));
  return path;
}

const unlisted = (values: readonly string[]) =>
  `CREATE TRIGGER carts_no_unlisted_insert BEFORE INSERT ON carts
WHEN ${values.map((value) => `NEW."kind" <> '${value}'`).join(" AND ")} BEGIN SELECT RAISE(ABORT, 'value_not_listed'); END;`;

const stays = (name: string, when = "") =>
  `CREATE TRIGGER ${name} BEFORE DELETE ON carts ${when} BEGIN SELECT RAISE(ABORT, 'carts_stay'); END;`;

const released = written("0000_tables.sql", [
  "CREATE TABLE users (id integer PRIMARY KEY, name text NOT NULL);",
  "CREATE TABLE carts (id integer PRIMARY KEY, note text, kind text NOT NULL, updated_at integer NOT NULL);",
  "CREATE INDEX users_by_name ON users (name);",
  `CREATE TABLE order_moves ("from" text NOT NULL, "to" text NOT NULL);`,
  `INSERT INTO order_moves VALUES ('pending', 'processing'), ('processing', 'shipped');`,
  unlisted(["guest", "account"]),
  stays("carts_stay"),
]);

const complaints = (...statements: string[]) =>
  incompatibilities([released, written("0001_next.sql", statements)], new Map([["0000_tables.sql", "1.0.0"]]), [
    "1.1.0",
    "1.0.0",
  ]);

const rebuilt = (columns: string) => ["DROP TABLE users;", `CREATE TABLE users (${columns});`];
const ID = "id integer PRIMARY KEY";

describe("a migration that breaks the running version", () => {
  it.each<[what: string, statements: string[], problem: string]>([
    ["drops a table", ["DROP TABLE users;"], "users is dropped or renamed"],
    ["renames a table", ["ALTER TABLE users RENAME TO people;"], "users is dropped or renamed"],
    ["drops a column", ["ALTER TABLE carts DROP COLUMN note;"], "carts.note is dropped or renamed"],
    ["renames a column", ["ALTER TABLE carts RENAME note TO text;"], "carts.note is dropped or renamed"],
    [
      "requires a new column",
      rebuilt(`${ID}, name text NOT NULL, email text NOT NULL`),
      "users.email is new and NOT NULL",
    ],
    [
      "requires what was optional",
      rebuilt(`id integer PRIMARY KEY NOT NULL, name text NOT NULL`),
      "users.id becomes NOT",
    ],
    ["changes a type", rebuilt(`${ID}, name integer NOT NULL`), "users.name was TEXT and becomes INTEGER"],
    ["generates a column", rebuilt(`${ID}, name text AS (id) NOT NULL`), "users.name becomes a generated column"],
    ["adds a CHECK", rebuilt(`${ID}, name text NOT NULL CHECK (name > '')`), "users.name > '' is a new CHECK"],
    ["adds a key", rebuilt(`${ID} REFERENCES carts (id), name text NOT NULL`), "users.id gets a new FOREIGN KEY"],
    ["adds a UNIQUE index", ["CREATE UNIQUE INDEX users_once ON users (name);"], "users_once is a new UNIQUE index"],
    ["drops an index", ["DROP INDEX users_by_name;"], "users_by_name is dropped"],
    ["drops a guard", ["DROP TRIGGER carts_stay;"], "carts_stay is dropped"],
    ["adds a guard", [stays("carts_stay_for_long", "WHEN OLD.id > 0")], "carts_stay_for_long is a new guard"],
    [
      "changes a guard",
      ["DROP TRIGGER carts_stay;", stays("carts_stay", "WHEN OLD.id > 0")],
      "carts_stay is a changed guard",
    ],
    [
      "narrows an enumeration",
      ["DROP TRIGGER carts_no_unlisted_insert;", unlisted(["guest"])],
      "carts.kind=account is no longer a value",
    ],
    [
      "deletes a permitted move",
      [`DELETE FROM order_moves WHERE "to" = 'shipped';`],
      "order_moves=processing/shipped is a row that is deleted",
    ],
  ])("%s", (_, statements, problem) => {
    const complaint = complaints(`CREATE TABLE notes (${ID});`, ...statements).find((text) => text.includes(problem));
    expect(complaint).toContain(`0001_next.sql: ${problem}`);
    expect(complaint).toContain(`Statement: ${statements.at(-1)?.split("\n")[0]}`);
    expect(complaint).toContain("Instead: ");
  });

  it("is accepted if the last release already runs with it", () => {
    const drop = "ALTER TABLE carts DROP COLUMN note;";
    expect(complaints(`-- contract: carts.note, compatible since 1.1.0\n${drop}`)).toEqual([]);
    expect(complaints(`-- contract: carts.note, compatible since 1.2.0\n${drop}`)).toEqual([
      expect.stringContaining("since 1.2.0, which CHANGELOG.md does not have as a release"),
    ]);
    expect(complaints(`-- contract: carts.kind, compatible since 1.1.0\n${drop}`)).toHaveLength(1);
  });
});

describe("a migration that adds", () => {
  it.each<[what: string, statements: string[]]>([
    [
      "a table with guards",
      [
        "CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL UNIQUE CHECK (text <> ''));",
        "CREATE TRIGGER notes_stay BEFORE DELETE ON notes BEGIN SELECT RAISE(ABORT, 'notes_stay'); END;",
      ],
    ],
    [
      "columns that may be left out",
      [
        "ALTER TABLE users ADD COLUMN email text CHECK (length(email) > 2);",
        "ALTER TABLE users ADD COLUMN trust integer NOT NULL DEFAULT 1 CHECK (trust > 0);",
        "ALTER TABLE users ADD COLUMN cart_id integer REFERENCES carts (id);",
        "CREATE UNIQUE INDEX users_by_email ON users (email);",
      ],
    ],
    ["a value of an enumeration", ["DROP TRIGGER carts_no_unlisted_insert;", unlisted(["guest", "account", "agent"])]],
    ["a permitted move", [`INSERT INTO order_moves VALUES ('pending', 'shipped');`]],
    ["a trigger again by another name", ["DROP TRIGGER carts_stay;", stays("carts_are_kept")]],
    [
      "what a guard accepts, and says so",
      [
        "-- expand: carts_stay, new carts may be deleted",
        "DROP TRIGGER carts_stay;",
        stays("carts_stay", "WHEN OLD.id > 0"),
      ],
    ],
  ])("%s is accepted", (_, statements) => {
    expect(complaints(...statements)).toEqual([]);
  });
});

it("names the contracts that a version does not run with", () => {
  const next = written("0001_next.sql", ["-- contract: carts.note, compatible since 1.1.0\nDROP INDEX users_by_name;"]);
  const files = [released, next];
  const contract = { migration: "0001_next.sql", subject: "carts.note", since: "1.1.0" };
  expect(contractsAfter(["0000_tables.sql"], undefined, files)).toEqual([contract]);
  expect(contractsAfter(["0000_tables.sql"], "1.0.0", files)).toEqual([contract]);
  expect(contractsAfter(["0000_tables.sql"], "1.10.0", files)).toEqual([]);
  expect(contractsAfter(["0000_tables.sql", "0001_next.sql"], undefined, files)).toEqual([]);
});

it("refuses changes of released migrations", () => {
  const path = written("0001_next.sql", [`CREATE TABLE notes (${ID});`]);
  const record = { "1.0.0": { "0001_next.sql": checksum(path) } };
  expect(changedReleases([path], record)).toEqual([]);
  expect(changedReleases([], record)).toEqual([expect.stringContaining("is missing")]);
  expect(changedReleases([released, path], record)).toEqual([
    expect.stringContaining("0000_tables.sql comes before 0001_next.sql"),
  ]);
  writeFileSync(path, "CREATE TABLE notes (id integer);");
  expect(changedReleases([path], record)).toEqual([expect.stringContaining("was changed")]);
});
