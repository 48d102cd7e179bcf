import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list, ok } from "../../platform/http/envelope.ts";
import { answers, lists } from "../../platform/http/route-description.ts";
import { validate, validateAll } from "../../platform/http/validate.ts";
import { Subscription, SubscriptionCancellation, SubscriptionsQuery, toSubscription } from "./schemas.ts";
import { cancelSubscription, listSubscriptions } from "./subscriptions.ts";

export const subscriptionsAdmin = new Hono<AppEnv>()
  .get(
    "/subscriptions",
    administer("orders:read"),
    validate("query", SubscriptionsQuery),
    lists("adminListSubscriptions", "List all subscriptions", Subscription),
    async (c) => {
      const scope = accountScopeOf(c.var.caller);
      return list(
        c,
        "Subscriptions",
        await listSubscriptions(c.var.db, c.req.valid("query"), { scope }),
        toSubscription,
      );
    },
  )
  .post(
    "/subscriptions/:id/cancel",
    administer("orders:write"),
    validateAll({ param: IdParam, json: SubscriptionCancellation }),
    answers("cancelSubscription", "Cancel a subscription", Subscription),
    async (c) => {
      const whose = { scope: accountScopeOf(c.var.caller) };
      const change = { id: c.req.valid("param").id, whose, atPeriodEnd: c.req.valid("json").at_period_end };
      const row = await cancelSubscription(writeContextOf(c), change);
      return ok(c, "Subscription cancelled", toSubscription(row));
    },
  );
