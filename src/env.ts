import type { Caller } from "./auth/caller.ts";
import type { Database } from "./db/client.ts";
import type { Count } from "./rate-limit/limiter.ts";
import type { Settings } from "./settings.ts";

/** What wrangler.toml does not name: `npm start` writes these to .dev.vars; README.md, Deploy, tells of production. */
type Secrets = {
  API_KEY_SECRET: string;
  TOKEN_KEYS: string;
  LINK_SECRET: string;
  /** Those of a payment provider switch it on. */
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  PAYPAL_CLIENT_ID?: string;
  PAYPAL_CLIENT_SECRET?: string;
  PAYPAL_WEBHOOK_ID?: string;
};

declare global {
  interface Env extends Secrets {}
  namespace Cloudflare {
    interface Env extends Secrets {}
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
