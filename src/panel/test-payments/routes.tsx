import { type Context, Hono } from "hono";
import * as z from "zod";
import { followWrites } from "../../apps/follow-events.ts";
import { sendRefunds } from "../../checkout/payments/notify-provider.ts";
import { TEST_PAYMENT_PAGE } from "../../checkout/payments/test-card.ts";
import { findTestPayment, payByTestCard, testOutcomes } from "../../checkout/payments/test-payments.ts";
import { notFound } from "../../domain/errors.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import { inBackground } from "../../platform/http/background.ts";
import { text } from "../forms/kinds.ts";
import { readForm } from "../forms/read-form.ts";
import { testPaymentPage } from "./page.tsx";

const TestChoice = z.strictObject({ outcome: z.enum(testOutcomes) });

/** The test provider's page of a payment, where the buyer chooses its outcome. */
export const testPaymentPages = new Hono<AppEnv>()
  .get("/:reference", async (c) => {
    const payment = await findPayment(c);
    const { returnUrl } = takesTests(c);
    const back = returnUrl?.replaceAll("{reference}", payment.orderReference);
    if (payment.state === "paid" && back) c.header("Refresh", `0; url=${new URL(back).href}`);
    return testPaymentPage(c, { payment, back, isDeclined: c.req.query("declined") !== undefined });
  })
  .post("/:reference", followWrites, async (c) => {
    const { reference } = await findPayment(c);
    const sent = await readForm(c);
    const { outcome } = sent.read(TestChoice, { outcome: text });
    const result = await payByTestCard(c.var, { reference, outcome });
    if (result === "returned") inBackground(c, "send refunds", sendRefunds(c.var, Date.now()));
    const declined = outcome === "fail" && result !== null ? "?declined" : "";
    return c.redirect(`${TEST_PAYMENT_PAGE}/${reference}${declined}`, 303);
  });

function takesTests({ var: { settings } }: Context<AppEnv>) {
  if (!settings.sandbox) throw notFound("This address");
  return settings.sandbox;
}

async function findPayment(c: Context<AppEnv>) {
  takesTests(c);
  await limitAddress(c, "anonymous");
  const payment = await findTestPayment(c.var, c.req.param("reference") ?? "");
  if (!payment) throw notFound("This payment");
  return payment;
}
