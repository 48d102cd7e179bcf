import { Hono } from "hono";
import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { paymentProviders } from "../../domain/payment-methods.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { clientAddress } from "../../platform/auth/client-address.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import { inBackground } from "../../platform/http/background.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { limitForgedEvents } from "../../platform/rate-limit/address-limiter.ts";
import { findDueOrder, handlePaymentEvent, isHandled } from "./handle-event.ts";
import { sendRefunds } from "./notify-provider.ts";
import { providers } from "./providers.ts";

const ProviderParam = z.object({ provider: z.enum(paymentProviders) });

/** Webhooks of payment providers. The signature authenticates them and is verified before anything else is read. */
export const paymentWebhookRoutes = new Hono<AppEnv>().post(
  "/:provider{stripe|paypal}",
  validate("param", ProviderParam),
  answers("receiveEventOfPaymentProvider", "Receive an event from a payment provider", z.null()),
  async (c) => {
    const provider = providers(c.var.settings)[c.req.valid("param").provider];
    if (!provider) throw notFound("This address");
    await limitAddress(c, "webhooks");
    const { db, requestId } = c.var;
    const address = clientAddress(c);
    const event = await provider.readEvent(c.req.raw, {
      findOrder: (reference) => findDueOrder(db, reference),
      isHandled: (id) => isHandled(db, provider.name, id),
      limitForged: (orderReference, isGenuine) => limitForgedEvents(c.env, { address, orderReference }, isGenuine),
    });
    const author = { actor: provider.name, address: null, requestId, now: Date.now() };
    const outcome = event && (await handlePaymentEvent({ db, author }, { ...event, provider: provider.name }));
    if (outcome === "returned") inBackground(c, "send refunds", sendRefunds(c.var, Date.now()));
    return ok(c, event ? "Settled" : "Nothing to do", null);
  },
);
