import { type Context, Hono } from "hono";
import {
  changePaymentSettings,
  connectedProviders,
  PaymentSettingsChange,
  readPaymentSettings,
} from "../../checkout/payments/settings.ts";
import { laterMethods, manualMethods, paymentMethods, settingsOf } from "../../domain/payment-methods.ts";
import { administer } from "../../platform/auth/gates.ts";
import { writeContextOf } from "../../platform/auth/write-context.ts";
import { etagOf } from "../../platform/http/version.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { kindsOf } from "../forms/inputs.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { page } from "../page.tsx";
import { inputs, PaymentsPage } from "./page.tsx";

const PAYMENTS = "/admin/payments";

export const paymentPages = new Hono<PanelEnv>()
  .get("/payments", administer("settings:read"), (c) => paymentsPage(c, null))
  .post("/payments", administer("settings:write"), (c) =>
    submit(
      c,
      (failed) => paymentsPage(c, failed),
      async (sent) => {
        const change = sent.readChange(PaymentSettingsChange, kindsOf(inputs));
        await changePaymentSettings(writeContextOf(c), { change, ifMatch: sent.ifMatch });
        return redirectWithFlash(c, PAYMENTS, "The payment settings were saved.");
      },
    ),
  )
  // Resolves the audit log's reference.
  .get("/payments/1", administer("settings:read"), (c) => c.redirect(PAYMENTS, 303));

async function paymentsPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { db, settings } = c.var;
  const { methods, updatedAt } = await readPaymentSettings(db);
  const values = Object.fromEntries([
    ...paymentMethods.flatMap((method) => {
      const { offered, guests } = settingsOf(methods, method);
      return [
        [`${method}.offered`, offered],
        [`${method}.guests`, guests],
      ];
    }),
    ...manualMethods.flatMap((method) => {
      const { instructions, days } = settingsOf(methods, method);
      return [
        [`${method}.instructions`, instructions],
        [`${method}.days`, days],
      ];
    }),
    ...laterMethods.map((method) => [`${method}.ship_before_payment`, settingsOf(methods, method).ship_before_payment]),
  ]);
  const form = formFor(failed, PAYMENTS, { inputs, values, etag: etagOf(updatedAt) });
  const connected = connectedProviders(settings);
  const base = settings.email.staffLinkBase ?? "https://your-worker.example";
  return page(c, "Payments", <PaymentsPage form={form} connected={connected} base={base} />);
}
