import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import * as schema from "../../src/platform/db/schema.ts";
import { FOLDER } from "./migrations.ts";

/** True if the tables of src/platform/db/schema.ts differ from the last migration's snapshot. */
export async function tablesChanged(): Promise<boolean> {
  const folder = join(FOLDER, "meta");
  const latest = readdirSync(folder)
    .filter((file) => file.endsWith("_snapshot.json"))
    .sort()
    .at(-1);
  const before = JSON.parse(readFileSync(join(folder, latest ?? ""), "utf8"));
  return (await generateSQLiteMigration(before, await generateSQLiteDrizzleJson(schema))).length > 0;
}
