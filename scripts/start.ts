import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { CREDENTIALS, type DemoAccess } from "./credentials.ts";
import { answers, DEV_VARS, env, LOCAL_PORT, localUrl } from "./local.ts";

// `npm start` runs `wrangler dev` without prompts, and runs the schedule. The build prepares the shop:
// scripts/prepare.ts.

/** Page where wrangler lists e-mails sent through the binding send_email. */
const LOCAL_EMAILS = "/cdn-cgi/local/explorer/api/local/email/sending";
/** wrangler lists every module of each build. */
const LIST_OF_MODULES = /^(Attaching additional modules:$|[┌├└│])/;
const port = readPort();
const url = localUrl(port);

await needPort();
await serve();

function readPort(): string {
  try {
    const { values } = parseArgs({ options: { port: { type: "string", default: LOCAL_PORT } } });
    if (/^\d+$/.test(values.port) && Number(values.port) < 2 ** 16) return values.port;
  } catch {
    // Arguments that are unknown are answered like a port that does not exist.
  }
  console.error("npm start takes only a port: npm start -- --port 3000");
  process.exit(1);
}

/** Another server on that port would answer instead and receive the printed credentials. */
async function needPort(): Promise<void> {
  const probe = createServer();
  const free = await new Promise((resolve) => {
    probe.once("error", () => resolve(false)).listen(Number(port), "localhost", () => resolve(true));
  });
  if (!free) {
    console.error(`Port ${port} is in use. Choose another one: npm start -- --port 3000`);
    process.exit(1);
  }
  await new Promise((resolve) => probe.close(resolve));
}

async function serve(): Promise<void> {
  // Without --test-scheduled, wrangler warns that nothing runs the schedule, but this script does.
  const server = spawn(
    "wrangler",
    [
      "dev",
      ...["--port", port, "--var", `WORKER_URL:${url}`],
      ...["SHOP_NAME", "SHOP_URL", "ORDER_URL", "CHECKOUT_RETURN_URL"].flatMap((name) =>
        process.env[name] ? ["--var", `${name}:${process.env[name]}`] : [],
      ),
      ...["--test-scheduled", "--show-interactive-dev-session=false"],
    ],
    {
      env: { ...env, PORT: port },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  createInterface(server.stdout).on("line", (line) => LIST_OF_MODULES.test(line) || console.log(line));
  server.on("exit", (code) => process.exit(code ?? 1));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => server.kill(signal));
  while (!(await answers(`${url}/health`))) await new Promise((resolve) => setTimeout(resolve, 100));
  console.log(card());
  await runSchedule();
  setInterval(runSchedule, 60_000);
}

/**
 * Runs the schedule like a cron trigger in production: unpaid orders expire, refunds are sent. Faults are in the
 * Worker's log.
 */
async function runSchedule(): Promise<void> {
  await fetch(`${url}/cdn-cgi/local/scheduled`).catch(() => {});
}

/** E-mails of a local shop are not sent: the runtime stores them. Without a sender address they wait in the outbox. */
function emailsOf(): string {
  const hasSender = /^MAIL_FROM=['"]?[^'"\s]/m.test(readFileSync(DEV_VARS, "utf8"));
  return hasSender ? `${url}${LOCAL_EMAILS}` : `wait: ${DEV_VARS} has no MAIL_FROM`;
}

/** The shop's addresses and credentials as a text. Also writes them to a file for programs. */
function card(): string {
  if (!existsSync(CREDENTIALS)) return `\n  Your shop is open at ${url}. Sign in to its panel at ${url}/admin.\n`;
  const access: DemoAccess = JSON.parse(readFileSync(CREDENTIALS, "utf8"));
  const { admin, customer, api_keys } = access;
  writeFileSync(CREDENTIALS, `${JSON.stringify({ base_url: url, admin, customer, api_keys }, null, 2)}\n`);
  const rows = {
    API: `${url}/api/v1/user`,
    Reference: `${url}/docs`,
    Panel: `${url}/admin`,
    Administrator: `${admin.email}  ${admin.password}`,
    Customer: `${customer.email}  ${customer.password}`,
    ...Object.fromEntries(Object.entries(api_keys).map(([name, key]) => [`API key, ${name}`, key])),
    "E-mails": emailsOf(),
    "Also saved in": CREDENTIALS,
  };
  const lines = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(19)} ${value}`);
  const curl = `  curl -H "Authorization: Bearer ${api_keys.standard}" "${rows.API}/products?per_page=1"`;
  return ["", "  The shop is open.", "", ...lines, "", curl, ""].join("\n");
}
