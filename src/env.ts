import type { Caller } from "./auth/caller.ts";
import type { Database } from "./db/client.ts";
import type { Count } from "./rate-limit/limiter.ts";
import type { Settings } from "./settings.ts";

declare global {
  /** Secrets that switch a payment provider on; wrangler.toml names those that are required. */
  interface Env {
    STRIPE_SECRET_KEY?: string;
    STRIPE_WEBHOOK_SECRET?: string;
    PAYPAL_CLIENT_ID?: string;
    PAYPAL_CLIENT_SECRET?: string;
    PAYPAL_WEBHOOK_ID?: string;
  }
}

/** What `c.env` and `c.var` hold on every route. A route's gate adds `c.var.caller`. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    db: Database;
    /** Who sent the credential; handlers see the `caller` that their gate let in. */
    identity: Caller;
    /** Set once the request was counted. */
    count: Count | undefined;
  };
};
