import { Hono } from "hono";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validateAll } from "../../platform/http/validate.ts";
import { IfMatch, versioned } from "../../platform/http/version.ts";
import {
  changePaymentSettings,
  PaymentSettings,
  PaymentSettingsUpdate,
  readConnectedProviders,
  readPaymentSettings,
  toPaymentSettings,
} from "./settings.ts";

export const paymentSettingsAdmin = new Hono<AppEnv>()
  .get(
    "/payment-settings",
    administer("settings:read"),
    answers("getPaymentSettings", "Get the payment settings", PaymentSettings, { headers: ["ETag"] }),
    async (c) => {
      const row = await readPaymentSettings(c.var.db);
      return versioned(c, "Payment settings", row, toPaymentSettings(row, await readConnectedProviders(c.var)));
    },
  )
  .put(
    "/payment-settings",
    administer("settings:write"),
    validateAll({ header: IfMatch, json: PaymentSettingsUpdate }),
    answers("updatePaymentSettings", "Update the payment settings", PaymentSettings, { headers: ["ETag"] }),
    async (c) => {
      const [change, ifMatch] = [c.req.valid("json"), c.req.valid("header")];
      const row = await changePaymentSettings(writeContextOf(c), { change, ifMatch });
      return versioned(c, "Payment settings updated", row, toPaymentSettings(row, await readConnectedProviders(c.var)));
    },
  );
