import { type Context, Hono } from "hono";
import { readShopHealth } from "../../back-office/health/shop-health.ts";
import { administer } from "../../platform/auth/gates.ts";
import { submitForm } from "../forms/attempt.ts";
import type { Failed } from "../forms/inputs.ts";
import { type PanelEnv, page } from "../page.tsx";
import { HEALTH } from "../sections.ts";
import { shopSettings } from "../shop-settings.ts";
import { alertFields, HealthPage } from "./page.tsx";

const alerts = shopSettings(HEALTH, alertFields, "The settings of alerts were saved.");

const reads = administer("metrics:read");

export const healthPages = new Hono<PanelEnv>()
  .get("/health", reads, (c) => healthPage(c, null))
  .post("/health", administer("settings:write"), submitForm(healthPage, alerts.save));

async function healthPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { db, settings } = c.var;
  const [health, { form }] = await Promise.all([
    readShopHealth({ env: c.env, db, settings }, Date.now()),
    alerts.read(c, failed),
  ]);
  return page(c, "Health", <HealthPage health={health} form={form} />);
}
