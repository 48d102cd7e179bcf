import { Hono } from "hono";
import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { paymentProviders } from "../../domain/payment-methods.ts";
import { clientAddress } from "../../platform/auth/client.ts";
import { type AppEnv, limitAddress } from "../../platform/auth/gates.ts";
import { inBackground } from "../../platform/http/background.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { limitForgedEvents } from "../../platform/rate-limit/limiter.ts";
import { recordDispute } from "../orders/public.ts";
import { cancelDisputedSubscription, syncSubscription } from "../subscriptions/public.ts";
import { receiveEvent } from "./handle-event.ts";
import { findProvider } from "./providers.ts";
import { sendRefunds } from "./send-refunds.ts";

const ProviderParam = z.object({ provider: z.enum(paymentProviders) });

/** Webhooks of payment providers. The signature authenticates them and is verified before anything else is read. */
export const paymentWebhookRoutes = new Hono<AppEnv>().post(
  `/:provider{${paymentProviders.join("|")}}`,
  validate("param", ProviderParam),
  answers("receivePaymentWebhook", "Receive an event from a payment provider", z.null(), {
    refuses: { 400: ["invalid_signature"], 409: ["changed_meanwhile"] },
  }),
  async (c) => {
    const { provider: name } = c.req.valid("param");
    await limitAddress(c, "webhooks");
    const provider = await findProvider(c.var, name);
    // Orders of test keys are paid on the Worker's own page.
    if (!provider || (name === "test" && !c.var.settings.test)) throw notFound("This address");
    const address = clientAddress(c);
    const { db, settings, requestId } = c.var;
    const outcome = await receiveEvent(c.var, {
      provider,
      request: c.req.raw,
      syncSubscription: (reference) => syncSubscription({ env: c.env, db, settings, requestId }, reference),
      recordDispute: async (dispute) => {
        const author = { actor: name, address: null, requestId, now: Date.now() };
        const orderId = await recordDispute({ db, author }, { provider: name, dispute });
        if (orderId === undefined || dispute.state !== "lost") return;
        await cancelDisputedSubscription({ env: c.env, db, settings, author }, orderId);
      },
      limitForged: (orderReference, isGenuine) => limitForgedEvents(c.env, { address, orderReference }, isGenuine),
    });
    if (outcome === "returned") inBackground(c, "send refunds", sendRefunds(c.var, Date.now()));
    return ok(c, outcome === "nothing" ? "Nothing to do" : "Settled", null);
  },
);
