import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { newTotpSecret } from "../src/accounts/users/two-factor/codes.ts";
import { app } from "../src/app.ts";
import { runners } from "../src/apps/job-steps.ts";
import { deliveryModules } from "../src/apps/webhook-endpoint.ts";
import { setCurrency } from "../src/platform/db/currency.ts";
import { loadTemplates } from "../src/platform/email/send.ts";
import { forgetCallers } from "./support/callers.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** SQL of the database that the migrations make, with many statements per string. */
      SCHEMA: string[];
    }
  }
}

// Each test file starts with empty storage, in a runtime that ran other files before. `reset` empties only active
// storage: an idle database or bucket would keep its content, so each is called first.
await Promise.all([env.DB.prepare("SELECT 1").run(), env.FILES.head("nothing"), env.BACKUPS?.head("nothing")]);
await reset();
forgetCallers();
await env.DB.batch(env.SCHEMA.map((query) => env.DB.prepare(query)));

// Idle limiters keep their counts, and the isolate keeps its caches. As in a shop in use, no caller or product reuses an
// id.
await env.DB.prepare(
  'INSERT INTO sqlite_sequence (name, seq) SELECT value, ?1 FROM json_each(\'["users", "api_keys", "feeds", "products"]\')',
)
  .bind(Date.now())
  .run();

// Makes the currency final, as in a shop with orders. test/admin/settings/currency.test.ts begins before that.
setCurrency(null, true);

// Suppresses the log line of every request, because passing it on to vitest took a tenth of the CPU. Warnings and
// errors are still printed.
console.info = () => {};

// Jobs wait until a test runs them, either by test/support/jobs.ts or in the real workflow.
Object.assign(env, { JOBS: { create: async () => undefined, get: () => Promise.reject(new Error("There is none")) } });

// Loads modules in advance. Otherwise simultaneous requests could need a module for the first time, and workerd does
// not let one request wait for another's import. The built Worker has all modules before the first request.
await app.routes();
await Promise.all([
  newTotpSecret(),
  import("uqr"),
  loadTemplates(),
  ...Object.values(deliveryModules).map((load) => load()),
  import("../src/apps/job-steps.ts"),
  ...Object.values(runners).map((load) => load()),
]);
