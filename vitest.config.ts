import { resolve } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { readGuards } from "./scripts/database/guards.ts";
import { newSecrets } from "./scripts/secrets.ts";
import { temporaryFolder } from "./test/support/temporary.ts";

// What tests start by the dozen, wrangler among it, is compiled once.
process.env.NODE_COMPILE_CACHE = resolve("node_modules/.cache/node");
process.env.TMPDIR = temporaryFolder();

/** For a machine that is busy: nothing here is measured by time. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000 };

/** Inside the production runtime: the Worker with its D1, R2 and Durable Objects, which each file finds empty. */
const worker = {
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          ...(await newSecrets()),
          MIGRATIONS: (await readD1Migrations("./migrations")).flatMap(({ queries }) => queries),
          GUARDS: readGuards(),
          // The providers are off, whatever .dev.vars says, until a test sets their secrets for a request.
          STRIPE_SECRET_KEY: "",
          STRIPE_WEBHOOK_SECRET: "",
          PAYPAL_CLIENT_ID: "",
          PAYPAL_CLIENT_SECRET: "",
          PAYPAL_WEBHOOK_ID: "",
          STRIPE_API_URL: inject("paymentServices"),
          PAYPAL_API_URL: inject("paymentServices"),
        },
      },
    })),
  ],
  test: {
    name: "worker",
    ...patience,
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: ["test/server/**"],
    globalSetup: ["./test/support/payment-services.ts"],
    setupFiles: ["./test/setup.ts"],
    // To start a runtime and load every module into it costs more than most files do: a runtime serves many of them.
    isolate: false,
    // A hundred modules, of which every file of tests would load each by itself.
    deps: { optimizer: { ssr: { enabled: true, include: ["stripe"] } } },
  },
};

/** Outside of it: what `npm start` starts, as its users have it, the panel in a real browser among it. */
const server = {
  test: {
    name: "server",
    ...patience,
    include: ["test/server/**/*.test.ts"],
    isolate: false,
    globalSetup: ["./test/server/setup.ts"],
  },
};

export default defineConfig({
  test: {
    projects: [worker, server],
    // Each waits for its runtime or its browser for a third of its time: two cores take three.
    maxWorkers: 3,
    silent: "passed-only",
  },
});
