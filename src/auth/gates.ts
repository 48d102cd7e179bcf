import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";
import { forbidden, tooManyRequests, unauthorized } from "../errors.ts";
import { countAddress } from "../rate-limit/address-limiter.ts";
import { secondsToReset } from "../rate-limit/headers.ts";
import type { AddressPolicy } from "../rate-limit/policies.ts";
import type { Settings } from "../settings.ts";
import type { ApiKeyCaller, Caller, UserCaller } from "./caller.ts";
import { type Permission, permits } from "./permissions.ts";

// A gate is the second word of a route's line: it says who may, and hands the handler a caller of just those kinds.

type Gated<C extends Caller> = AppEnv & { Variables: { caller: C } };

const LOG_IN = "Send an API key or a user token: Authorization: Bearer <credential>";

/** Users, and API keys that hold the permission. */
export const allow = (permission: Permission) =>
  createMiddleware<Gated<ApiKeyCaller | UserCaller>>(async (c, next) => {
    const caller = c.var.identity;
    if (caller.kind === "anonymous") throw unauthorized(LOG_IN);
    c.set("caller", withPermission(caller, permission));
    await next();
  });

/** As `allow`, and callers without a credential, whose address is counted under `policy`; undefined lets none in. */
export const allowAnyone = (
  permission: Permission,
  policy: AddressPolicy | ((settings: Settings) => AddressPolicy | undefined),
) =>
  createMiddleware<Gated<Caller>>(async (c, next) => {
    const caller = c.var.identity;
    if (caller.kind === "anonymous") {
      const counted = typeof policy === "function" ? policy(c.var.settings) : policy;
      if (!counted) throw unauthorized(LOG_IN);
      const count = await countAddress(c.env, counted, c.req.raw);
      if (count) c.set("count", count);
      if (count && !count.admitted) throw tooManyRequests(secondsToReset(count));
    }
    c.set("caller", withPermission(caller, permission));
    await next();
  });

/** Users alone: what is asked for belongs to a person, and an API key is none. */
export const allowUser = createMiddleware<Gated<UserCaller>>(async (c, next) => {
  const caller = c.var.identity;
  if (caller.kind === "anonymous") throw unauthorized("Send a user token: Authorization: Bearer <token>");
  if (caller.kind === "api_key") throw forbidden("This needs a user token: an API key has no account of its own");
  c.set("caller", caller);
  await next();
});

function withPermission<C extends Caller>(caller: C, permission: Permission): C {
  if (caller.kind === "api_key" && !permits(caller.permissions, permission)) {
    throw forbidden(`The API key lacks the permission ${permission}`, { permission: [permission] });
  }
  return caller;
}
