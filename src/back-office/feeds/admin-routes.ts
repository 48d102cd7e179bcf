import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validateAll } from "../../platform/http/validate.ts";
import { IfMatch } from "../../platform/http/version.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { FeedAddress, rotateFeedUrl } from "./feeds.ts";

export const feedAddressAdmin = new Hono<AppEnv>().post(
  "/feeds/:id/address",
  administer("settings:write"),
  idempotent,
  validateAll({ param: IdParam, header: IfMatch, json: Nothing }),
  answers("rotateFeedUrl", "Create a new secret URL for a feed", FeedAddress),
  async (c) => {
    const [{ id }, ifMatch] = [c.req.valid("param"), c.req.valid("header")];
    const { origin } = new URL(c.req.url);
    const { address } = await once(c, {}, (ctx) => rotateFeedUrl(ctx, { id, origin, ifMatch }));
    return ok(c, "The feed has a new address. It is shown only once", { address });
  },
);
