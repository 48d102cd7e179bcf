import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";
import { CREDENTIALS } from "./credentials.ts";
import { applyMigrations } from "./database/apply.ts";
import { asD1, openDatabase, STATE } from "./database/local.ts";
import { DEV_VARS, localUrl } from "./local.ts";
import { newSecrets } from "./secrets.ts";

// Turns a fresh clone into a working shop: writes missing local secrets, applies new migrations and seeds an empty
// database. Existing data is kept.

await writeSecrets();
const database = openDatabase(STATE);
applyMigrations(database);
// Written last, because an administrator marks the shop as complete.
if (!database.prepare("SELECT 1 FROM users WHERE role = 'admin' LIMIT 1").get()) {
  const { getPlatformProxy } = await import("wrangler");
  const { env, dispose } = await getPlatformProxy<Env>();
  process.env.CURRENCY = env.CURRENCY;
  const { seed } = await import("./demo/seed.ts");
  const access = await seed({ ...env, DB: asD1(database) });
  mkdirSync(dirname(CREDENTIALS), { recursive: true });
  writeFileSync(CREDENTIALS, JSON.stringify({ base_url: localUrl(), ...access }, null, 2), { mode: 0o600 });
  await dispose();
}
database.close();

/** Adds missing secrets to an existing file. Settings may have been removed from it on purpose. */
async function writeSecrets(): Promise<void> {
  const isNew = !existsSync(DEV_VARS);
  const present = isNew ? {} : parseEnv(readFileSync(DEV_VARS, "utf8"));
  const vars = {
    ...(await newSecrets()),
    DEVELOPMENT: "true",
    ...(isNew && {
      MAIL_FROM: "shop@example.com",
      WEBHOOK_LOCALHOST: "true",
      TEST_PAYMENTS: "true",

      WORKER_URL: localUrl(),
    }),
  };
  const lines = Object.entries(vars)
    .filter(([name]) => !(name in present))
    .map(([name, value]) => `${name}='${value}'\n`);
  if (lines.length > 0) appendFileSync(DEV_VARS, `${isNew ? "" : "\n"}${lines.join("")}`, { mode: 0o600 });
}
