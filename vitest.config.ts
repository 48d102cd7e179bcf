import { randomInt } from "node:crypto";
import { resolve } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { readGuards } from "./scripts/database/guards.ts";
import { migrated, migrationFiles, searchStatements } from "./scripts/database/migrations.ts";
import { dumpOf, statementsOf } from "./scripts/release/dump.ts";
import { newSecrets } from "./scripts/secrets.ts";
import { LongFirst } from "./test/support/sequencer.ts";
import { temporaryFolder } from "./test/support/temporary.ts";
import { serveFixtures } from "./test/upgrade/serve.ts";

// Caches compiled code of programs that tests start by the dozen, such as wrangler.
process.env.NODE_COMPILE_CACHE = resolve("node_modules/.cache/node");
process.env.TMPDIR = temporaryFolder();

// With its banner, wrangler asks the registry for its newest version, which answers with megabytes of JSON.
process.env.WRANGLER_HIDE_BANNER = "true";

// Collecting short-lived objects less often saves a tenth of the CPU of worker tests.
process.env.MINIFLARE_WORKERD_V8_FLAGS = "--min-semi-space-size=32 --max-semi-space-size=64";

// Disables garbage collection, because a build ends before its garbage fills the memory. This saves a third of the CPU
// of esbuild.
process.env.GOGC = "off";

/** The seed of random tests, fixed unless asked otherwise: SEED=random draws one and prints it, SEED=<number> repeats it. */
const { SEED = "1" } = process.env;
const seed = SEED === "random" ? randomInt(2 ** 31) : Number(SEED);
if (SEED === "random") process.stderr.write(`SEED=${seed}\n`);

const runs = process.env.RUNS === undefined ? null : Number(process.env.RUNS);

/** `npm run test:all` passes this mode. Long properties make all of their runs in it, and otherwise a quarter. */
const DEEP = "deep";

/** Maximum length of a statement in D1. */
const STATEMENT_BYTES = 100_000;

const shared = {
  // A test that takes longer has hung. The few long tests set their own limit.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // Starting a runtime and loading every module costs more than most test files, so one runtime runs many of them.
  isolate: false,
};

/**
 * Joins queries into few statements, each up to D1's maximum length. Every file runs all of them, and the cost is
 * mostly per statement. They create what the migrations make, without the tables that a later one alters: an ALTER
 * TABLE checks every trigger.
 */
function inBatches(queries: string[]): string[] {
  const batches: string[] = [];
  for (const query of queries) {
    const longer = `${batches.at(-1)};\n${query}`;
    if (batches.length > 0 && Buffer.byteLength(longer) < STATEMENT_BYTES) batches[batches.length - 1] = longer;
    else batches.push(query);
  }
  return batches;
}

let schema: string[] | undefined;
/** The database that the migrations make. All projects use one, because migrating takes seconds. */
const schemaOnce = () => (schema ??= inBatches(statementsOf(dumpOf(migrated(migrationFiles()), searchStatements()))));

/** Pure rules in plain Node, each at the path of its source. They run in seconds. */
const unit = {
  test: {
    name: "unit",
    ...shared,
    include: ["test/unit/**/*.test.{ts,tsx}"],
    setupFiles: ["./test/support/seed.ts"],
    env: { CURRENCY: "USD" },
    unstubEnvs: true,
    unstubGlobals: true,
  },
};

/** One real hash costs 0.2 s of CPU. */
const cheapPasswords = {
  alias: [{ find: /.*\/password-cost\.ts$/, replacement: resolve("test/support/password-cost.ts") }],
};

/** The Worker inside the production runtime with D1, R2 and Durable Objects, which are empty for each file. */
const workerIn = (currency: string, name: string, include: string[]) => ({
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      // Without the build, which writes the `main` file that wrangler.toml names.
      main: "src/index.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        serviceBindings: { FIXTURES: serveFixtures },
        bindings: {
          ...(await newSecrets()),
          SCHEMA: schemaOnce(),
          GUARDS: readGuards(),
          CURRENCY: currency,
          // The providers are off, whatever .dev.vars says, unless a test sets their secrets for a request.
          STRIPE_SECRET_KEY: "",
          STRIPE_WEBHOOK_SECRET: "",
          STRIPE_PROFILE_ID: "",
          PAYPAL_CLIENT_ID: "",
          PAYPAL_CLIENT_SECRET: "",
          PAYPAL_WEBHOOK_ID: "",
          STRIPE_API_URL: inject("services"),
          PAYPAL_API_URL: inject("services"),
          RESEND_API_KEY: "",
          RESEND_API_URL: inject("services"),
          // E-mails wait until a test sends them.
          MAIL_FROM: "",
          TEST_PAYMENTS: "false",
          WORKER_URL: "https://shop.test",
          // The stand-in resolves names and receives webhooks.
          DNS_URL: `${inject("services")}/dns-query`,
          WEBHOOK_LOCALHOST: "true",
          VIES_URL: `${inject("services")}/vies`,
          // Counts of requests wait until a test writes them.
          REQUEST_FLUSH_SECONDS: "0",
          // Tests write to addresses of reserved domains.
          DEVELOPMENT: "true",
        },
      },
    })),
  ],
  resolve: cheapPasswords,
  test: {
    name,
    ...shared,
    include,
    exclude: ["test/unit/**", "test/server/**"],
    globalSetup: ["./test/support/services.ts"],
    setupFiles: ["./test/support/seed.ts", "./test/setup.ts"],
    // Bundles the hundred modules of stripe into one before the tests load it.
    deps: { optimizer: { ssr: { enabled: true, include: ["stripe"] } } },
  },
});

/**
 * Tests that also run in a currency without decimals and in one with three, because what they test converts amounts or
 * rounds them. Races, permissions, and rules that only compare minor units hold in every currency if they hold in one.
 */
const moneyTests = [
  // Every amount of the API; providers, imports and exports, discounts, and events.
  "test/currencies/**/*.test.ts",
  "test/exports/round-trip.test.ts",
  // Refunds divide amounts between lines, and take amounts.
  "test/admin/orders/refunds-by-amount.test.ts",
  "test/admin/orders/refunds-of-parts.test.ts",
  "test/admin/orders/refunds.test.ts",
  "test/admin/wallet.test.ts",
  // An order's price from the cart to its history.
  "test/cart/seen-price.test.ts",
  "test/cart/user-cart.test.ts",
  "test/orders/quote.test.ts",
  "test/orders/life.test.ts",
  "test/orders/history.test.ts",
  "test/sales/report.test.ts",
];

/** Tests against a shop started by `npm start`, as its users have it, with the panel in a real browser. */
const server = {
  resolve: cheapPasswords,
  test: {
    name: "server",
    ...shared,
    // Some tests open a shop of their own. Other waits fail earlier, with an error that names what was missing.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default of a second is short while browsers share the processors. It is below the test's timeout, so that the
    // error names what was missing.
    expect: { poll: { timeout: 20_000 } },
    include: ["test/server/**/*.test.ts"],
    globalSetup: ["./test/server/setup.ts"],
  },
};

export default defineConfig(({ mode }) => ({
  test: {
    provide: { seed, runs, depth: mode === DEEP ? 1 : 0.25 },
    projects: [
      unit,
      workerIn("USD", "worker", ["test/**/*.test.{ts,tsx}"]),
      // Currencies without decimals, and with three.
      workerIn("JPY", "JPY", moneyTests),
      workerIn("KWD", "KWD", moneyTests),
      server,
    ],
    // Each worker waits for its runtime or browser for a third of the time, so two cores run three workers.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    silent: "passed-only",
  },
}));
