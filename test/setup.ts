import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { newTotpSecret } from "../src/accounts/users/two-factor/codes.ts";
import { app } from "../src/app.ts";
import { runners } from "../src/apps/job-steps.ts";
import { loadDeliveryLoop } from "../src/integrations/webhooks/delivery/endpoint.ts";
import { loadTemplates } from "../src/platform/email/send.ts";
import { forgetCallers } from "./support/callers.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      /** Their statements, in order, many to a string. */
      MIGRATIONS: string[];
    }
  }
}

// Each file of tests finds the storage empty, in a runtime that served others before it. `reset` empties what is awake: a
// database or bucket that had fallen asleep would keep all it holds.
await Promise.all([env.DB.prepare("SELECT 1").run(), env.FILES.head("nothing")]);
await reset();
forgetCallers();
await env.DB.batch(env.MIGRATIONS.map((query) => env.DB.prepare(query)));

// Limiters that sleep keep their counts, and the isolate the answers it knows: as in a shop that is in use, no user or
// product has an id that another one had.
await env.DB.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('users', ?1), ('products', ?1)")
  .bind(Date.now())
  .run();

// Jobs wait until a test runs them (test/support/jobs.ts), or the real workflow does.
Object.assign(env, { JOBS: { create: async () => undefined, get: () => Promise.reject(new Error("There is none")) } });

// Many requests at once may be the first to need a module, and what one waits for, workerd lets no other wait for. Of the built
// Worker the runtime has all modules before the first request: there nobody waits.
await app.routes();
await Promise.all([
  newTotpSecret(),
  import("uqr"),
  loadTemplates(),
  loadDeliveryLoop(),
  import("../src/apps/job-steps.ts"),
  ...Object.values(runners).map((load) => load()),
]);
