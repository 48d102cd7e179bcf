import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrationFiles } from "../../../scripts/database/migrations.ts";
import { LONG } from "../../support/long.ts";
import { withoutBuild } from "../checkout.ts";
import { openAccount } from "./account.ts";
import { runVersions } from "./bundle.ts";
import type { Call } from "./call.ts";
import { answerDatabase } from "./databases.ts";
import type { Serve } from "./platform.ts";

const EMAIL = "ops@shopkeeper.dev";

let account: Awaited<ReturnType<typeof openAccount>>;
let versions: ReturnType<typeof runVersions>;

beforeAll(async () => {
  const serve: Serve = (version, call) => versions.serve(version, call);
  account = await openAccount(serve);
  versions = runVersions(join(account.databases, "storefront-staging"));
  const config = join(account.checkout.folder, "wrangler.toml");
  const [above = "", staging = ""] = readFileSync(config, "utf8").split("[env.staging.vars]");
  const open = staging
    .replace('TEST_PAYMENTS = "false"', 'TEST_PAYMENTS = "true"')
    .replace('WORKER_URL = ""', `WORKER_URL = "${account.platform.url}"`)
    .replace('WEBHOOK_LOCALHOST = "false"', 'WEBHOOK_LOCALHOST = "true"');
  // The script builds the code, and wrangler need not do it again.
  writeFileSync(config, withoutBuild(`${above}[env.staging.vars]${open}`));
});

afterAll(async () => {
  await versions.close();
  await account.close();
});

const staging = ["--env", "staging"];

/** Calls the shop as its administrator does. */
async function ask<T>(path: string, body: object, token?: string): Promise<T> {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(account.platform.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = (await response.json()) as { status: string; data: T };
  expect(answer.status, JSON.stringify(answer)).toBe("success");
  return answer.data;
}

/** Calls of a first deployment that change the account, in order. */
const WRITES = [
  "POST d1/database",
  "POST d1/database/…/import init",
  "POST d1/database/…/import ingest",
  "POST r2/buckets storefront-files-staging",
  "POST r2/buckets storefront-backups-staging",
  "POST workers/scripts/storefront-staging/assets-upload-session",
  "PUT workers/scripts/storefront-staging",
  "POST workers/scripts/storefront-staging/subdomain",
  "PUT workers/scripts/storefront-staging/schedules",
  "PUT workflows/storefront-jobs-staging",
];

function writeOf({ method, path, body }: Call): string | undefined {
  if (method === "GET" || /\/(?:query|graphql)$/.test(path)) return undefined;
  const place = path
    .replace("/accounts/acc/", "")
    .replace(/\?.*/, "")
    .replace(/[0-9a-f-]{36}/, "…");
  const { action = "", name = "" } = /import$|buckets$/.test(place) ? JSON.parse(body) : {};
  return `${method} ${place} ${action}${name}`.trim();
}

/** Runs `npm run deploy` again and again, and kills it after the first write that no earlier run got to. */
async function deployKilledAtEachWrite(): Promise<string[]> {
  const { platform, run, checkout } = account;
  const written: string[] = [];
  for (;;) {
    const deploying = run("scripts/deploy.ts", staging);
    const reached = new Promise<string>((resolve) => {
      platform.network.failsAfter = (call) => {
        const write = writeOf(call);
        if (write === undefined || written.includes(write)) return false;
        resolve(write);
        return true;
      };
    });
    const ended = await Promise.race([reached, deploying.ended]);
    if (typeof ended !== "string") {
      platform.network.failsAfter = () => false;
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      return written;
    }
    written.push(ended);
    await deploying.kill();
    // The first run has built the code.
    writeFileSync(join(checkout.folder, "scripts/build.ts"), "");
  }
}

it("takes an empty account to a paid order, although npm run deploy is killed after each write: npm run admin, npm run smoke", {
  timeout: 5 * LONG.timeout,
}, async () => {
  const { platform, run } = account;
  expect(await deployKilledAtEachWrite()).toEqual(WRITES);
  const made = await run("scripts/admin.ts", [EMAIL, "Olive Ops", ...staging]).ended;
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const [, password = ""] = /Password +(\S+)/.exec(made.stdout) ?? [];
  const { token } = await ask<{ token: string }>("/api/v1/user/auth/login", { email: EMAIL, password });
  const permissions = ["read", "write", "payments:write"];
  const { key } = await ask<{ key: string }>("/api/v1/admin/api-keys", { name: "Smoke test", permissions }, token);
  const smoke = run("scripts/smoke.ts", [platform.url, ...staging], { SMOKE_API_KEY: key, SMOKE_EMAIL: EMAIL });
  const tested = await smoke.ended;
  expect(tested).toMatchObject({ code: 0, stderr: "" });
  expect(tested.stdout.match(/^ok /gm)).toHaveLength(10);
  const rows = platform.account.databases.get("storefront-staging")?.rows;
  expect(rows?.prepare("SELECT payment_status FROM orders").all()).toEqual([{ payment_status: "refunded" }]);
});

const askDatabase = (route: string, body: object) =>
  answerDatabase(
    account.platform.account.databases,
    `POST /accounts/acc/d1/database${route}`,
    JSON.stringify(body),
    account.databases,
  );

it("cuts a trigger at the END of a CASE in the endpoint for queries, as the platform does", () => {
  askDatabase("", { name: "cut" });
  const trigger = (value: string) =>
    `CREATE TABLE items (n); CREATE TRIGGER sells AFTER INSERT ON items BEGIN SELECT ${value}; END;`;
  const refused = askDatabase("/cut/query", { sql: trigger("CASE 1 WHEN 1 THEN 2 END") });
  expect(refused).toEqual({ code: 7_500, message: "incomplete input: SQLITE_ERROR" });
  const rows = account.platform.account.databases.get("cut")?.rows;
  expect(rows?.prepare("SELECT name FROM sqlite_master").all()).toEqual([{ name: "items" }]);
  rows?.exec("DROP TABLE items");
  expect(askDatabase("/cut/query", { sql: trigger("(CASE 1 WHEN 1 THEN 2 END)") })).not.toHaveProperty("code");
});

it("has migrations that even this endpoint would accept", () => {
  askDatabase("", { name: "queried" });
  for (const path of migrationFiles()) {
    expect(askDatabase("/queried/query", { sql: readFileSync(path, "utf8") }), path).not.toHaveProperty("code");
  }
});
