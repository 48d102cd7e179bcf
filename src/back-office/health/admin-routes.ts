import { Hono } from "hono";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { ShopHealthAnswer, toShopHealth } from "./schemas.ts";
import { readShopHealth } from "./shop-health.ts";

export const healthAdmin = new Hono<AppEnv>().get(
  "/health",
  administer("metrics:read"),
  answers("getHealth", "Get the health of the shop", ShopHealthAnswer, {
    description: "Returns alerts, queues and the running version. Use it to find out why something does not work.",
  }),
  async (c) => {
    const { db, settings } = c.var;
    const health = await readShopHealth({ env: c.env, db, settings }, Date.now());
    return ok(c, health.summary, toShopHealth(health));
  },
);
