import type { Database } from "../db/client.ts";
import type { Count } from "../rate-limit/limiter.ts";
import type { Settings } from "../settings/settings.ts";
import type { Caller } from "./caller.ts";

/** Contents of `c.env` and `c.var` on every route. A route's gate adds `c.var.caller`. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    settings: Settings;
    db: Database;
    /** The sender of the credential. Handlers use the `caller` admitted by their gate. */
    identity: Caller;
    /** When the credential was verified. Unset without a credential. */
    identifiedAt: number | undefined;
    /** The shop's name, on pages that customers see. */
    shopName: string | undefined;
    /** Set on catalogue reads: whether the response came from the cache. */
    cache: "hit" | "miss" | undefined;
    /** Set once the request is counted. */
    count: Count | undefined;
  };
};
