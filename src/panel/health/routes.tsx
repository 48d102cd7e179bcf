import { type Context, Hono } from "hono";
import { readShopHealth } from "../../back-office/health/shop-health.ts";
import { ShopUpdate } from "../../back-office/shop/fields.ts";
import { changeShop, readShop } from "../../back-office/shop/shop.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { etagOf } from "../../platform/http/version.ts";
import { submitForm } from "../forms/attempt.ts";
import { inputsOf, kindsOf, valuesOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { type PanelEnv, page } from "../page.tsx";
import { HEALTH } from "../sections.ts";
import { alertFields, HealthPage } from "./page.tsx";

const alertInputs = inputsOf(alertFields);

const reads = administer("metrics:read");

export const healthPages = new Hono<PanelEnv>()
  .get("/health", reads, (c) => healthPage(c, null))
  .post(
    "/health",
    administer("settings:write"),
    submitForm(healthPage, async (c, sent) => {
      const change = sent.readChange(ShopUpdate, kindsOf(alertInputs));
      await changeShop(writeContextOf(c), { change, ifMatch: sent.ifMatch });
      return "The settings of alerts were saved.";
    }),
  );

async function healthPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { db, settings } = c.var;
  const [health, shop] = await Promise.all([
    readShopHealth({ env: c.env, db, settings }, Date.now()),
    readShop(db, settings.email),
  ]);
  const values = valuesOf(alertFields, shop);
  const form = formFor(failed, HEALTH, { inputs: alertInputs, values, etag: etagOf(shop.updatedAt) });
  return page(c, "Health", <HealthPage health={health} form={form} />);
}
