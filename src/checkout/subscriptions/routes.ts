import { Hono } from "hono";
import { IdParam, Nothing } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, allow } from "../../platform/auth/gates.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { MySubscriptionsQuery, Subscription, SubscriptionPortal, toSubscription } from "./schemas.ts";
import { cancelSubscription, listSubscriptions, openPortal } from "./subscriptions.ts";

export const subscriptionRoutes = new Hono<AppEnv>()
  .get(
    "/account/subscriptions",
    allow("checkout:read"),
    validate("query", MySubscriptionsQuery),
    lists("listMySubscriptions", "List your subscriptions", Subscription),
    async (c) =>
      list(c, "Subscriptions", await listSubscriptions(c.var.db, c.req.valid("query"), c.var), toSubscription),
  )
  .post(
    "/account/subscriptions/:id/cancel",
    allow("checkout:write"),
    validateAll({ param: IdParam, json: Nothing }),
    answers("cancelMySubscription", "Cancel a subscription", Subscription, {
      description: "Access lasts until the end of the paid period.",
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const row = await cancelSubscription(writeContextOf(c), { id, whose: c.var, atPeriodEnd: true });
      return ok(c, "Subscription cancelled", toSubscription(row));
    },
  )
  .post(
    "/account/subscriptions/:id/portal",
    allow("checkout:write"),
    validateAll({ param: IdParam, json: Nothing }),
    answers("createMySubscriptionPortal", "Open the page to change the card or cancel", SubscriptionPortal),
    async (c) => ok(c, "Page", { url: await openPortal(c.var, { id: c.req.valid("param").id, whose: c.var }) }),
  );
