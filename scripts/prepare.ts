import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { getPlatformProxy } from "wrangler";
import { CREDENTIALS } from "./credentials.ts";
import { applyMigrations } from "./database/apply.ts";

// Applies the migrations that are new, fills an empty database and bucket with the demo shop, and writes who may get in to
// .dev/credentials.json.

const { env, dispose } = await getPlatformProxy<Env>();
await applyMigrations(env.DB);
// The last that a new shop is given: it says that the shop is complete.
if (!(await env.DB.prepare("SELECT 1 FROM users WHERE role = 'admin' LIMIT 1").first())) {
  const { seed } = await import("./demo/seed.ts");
  const access = await seed(env);
  mkdirSync(dirname(CREDENTIALS), { recursive: true });
  writeFileSync(CREDENTIALS, JSON.stringify(access, null, 2), { mode: 0o600 });
}
await dispose();
