import type { Database } from "../db/client.ts";
import type { Count } from "../rate-limit/limiter.ts";
import type { Settings } from "../settings/settings.ts";
import type { Caller } from "./caller.ts";

/** What `c.env` and `c.var` hold on every route. A route's gate adds `c.var.caller`. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    db: Database;
    /** Who sent the credential; handlers see the `caller` that their gate let in. */
    identity: Caller;
    /** When the credential was found to be good; unset without one. */
    identifiedAt: number | undefined;
    /** Set once the request was counted. */
    count: Count | undefined;
  };
};
