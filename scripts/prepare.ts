import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CREDENTIALS } from "./credentials.ts";
import { applyMigrations } from "./database/apply.ts";
import { asD1, openDatabase, STATE } from "./database/local.ts";

// Applies the migrations that are new, fills an empty database and bucket with the demo shop, and writes who may get in to
// .dev/credentials.json.

const database = await openDatabase(STATE);
applyMigrations(database);
// The last that a new shop is given: it says that the shop is complete.
if (!database.prepare("SELECT 1 FROM users WHERE role = 'admin' LIMIT 1").get()) {
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<Env>();
  const { seed } = await import("./demo/seed.ts");
  const access = await seed({ ...env, DB: asD1(database) });
  mkdirSync(dirname(CREDENTIALS), { recursive: true });
  writeFileSync(CREDENTIALS, JSON.stringify(access, null, 2), { mode: 0o600 });
  await dispose();
}
database.close();
