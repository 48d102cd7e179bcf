import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { CREDENTIALS, type DemoAccess, WELCOME_CODE } from "./credentials.ts";
import { DEV_VARS as API_VARS, answers, env } from "./local.ts";

// `npm run example` starts the example storefront, and the API unless it is already running.

const FOLDER = "examples/storefront";
const DEV_VARS = `${FOLDER}/.dev.vars`;
const CONFIG = `${FOLDER}/wrangler.toml`;
const port = process.env.PORT || "8787";
const apiUrl = `http://localhost:${port}`;
const examplePort = process.env.EXAMPLE_PORT || String(Number(port) + 1);
const exampleUrl = `http://localhost:${examplePort}`;

/** Settings of the API by which e-mails and payments lead to the example. */
const settings = {
  SHOP_NAME: /^SHOP_NAME = "(.+)"$/m.exec(readFileSync(CONFIG, "utf8"))?.[1] ?? "",
  SHOP_URL: exampleUrl,
  ORDER_URL: `${exampleUrl}/orders/reference/{reference}`,
  CHECKOUT_RETURN_URL: `${exampleUrl}/orders/return/{reference}`,
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit());
if (await answers(`${apiUrl}/health`)) await addSettings();
else {
  run("node", "scripts/start.ts");
  await until(`${apiUrl}/health`);
}
if (!existsSync(CREDENTIALS)) {
  console.error(`${CREDENTIALS} is gone, and nothing else knows an API key: make one in the panel, at ${apiUrl}/admin`);
  process.exit(1);
}
const { api_keys, admin, customer }: DemoAccess = JSON.parse(readFileSync(CREDENTIALS, "utf8"));
if (!api_keys.storefront) {
  console.error(`${CREDENTIALS} is of an earlier version. To begin anew: rm -rf .wrangler .dev .dev.vars`);
  process.exit(1);
}
const secrets = {
  API_KEY: api_keys.storefront,
  COOKIE_SECRET: kept("COOKIE_SECRET") ?? randomBytes(32).toString("base64url"),
  WEBHOOK_SECRET: kept("WEBHOOK_SECRET") ?? "",
};
const lines = Object.entries(secrets).map(([name, value]) => `${name}='${value}'\n`);
writeFileSync(DEV_VARS, lines.join(""), { mode: 0o600 });
const dev = ["dev", "--config", CONFIG, "--port", examplePort, "--var", `API_URL:${apiUrl}`];
run("wrangler", ...dev, "--show-interactive-dev-session=false");
await until(exampleUrl);
console.log(`
  The example storefront is open.

  Storefront         ${exampleUrl}
  Customer           ${customer.email}  ${customer.password}
  Discount code      ${WELCOME_CODE}
  API                ${apiUrl}
  Panel              ${apiUrl}/admin
  Administrator      ${admin.email}  ${admin.password}
`);

/** Adds those settings that a running API does not have to its local ones, and waits until it has read them. */
async function addSettings(): Promise<void> {
  const known = parseEnv(readFileSync(API_VARS, "utf8"));
  const missing = Object.entries(settings).filter(([name]) => known[name] === undefined);
  if (missing.length === 0) return;
  const before = await version();
  appendFileSync(API_VARS, missing.map(([name, value]) => `${name}='${value}'\n`).join(""));
  // wrangler reads .dev.vars again when its configuration is written.
  utimesSync("wrangler.toml", new Date(), new Date());
  while ((await version()) === before) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Version of the running API, which changes when wrangler reloads it. */
async function version(): Promise<string> {
  const answer = (await (await fetch(`${apiUrl}/health`)).json()) as { data: { version: string } };
  return answer.data.version;
}

/**
 * A secret from an earlier start, because browsers have cookies signed with it, and the shop stores the webhook's
 * secret.
 */
function kept(name: string): string | undefined {
  const vars = existsSync(DEV_VARS) ? readFileSync(DEV_VARS, "utf8") : "";
  return new RegExp(`^${name}='(.+)'$`, "m").exec(vars)?.[1];
}

/** Child processes end with this one, and this one with them. */
function run(command: string, ...args: string[]): void {
  const child = spawn(command, args, {
    env: { ...env, PORT: port, ...settings },
    stdio: ["ignore", "inherit", "inherit"],
  });
  child.on("exit", (code) => process.exit(code ?? 1));
  process.on("exit", () => child.kill());
}

async function until(url: string): Promise<void> {
  while (!(await answers(url))) await new Promise((resolve) => setTimeout(resolve, 100));
}
