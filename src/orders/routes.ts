import { Hono } from "hono";
import { authorOf } from "../audit/entry.ts";
import { allow } from "../auth/gates.ts";
import type { AppEnv } from "../env.ts";
import { notFound } from "../errors.ts";
import { answers, creates, lists } from "../http/contract.ts";
import { created, list, ok } from "../http/envelope.ts";
import { Nothing } from "../http/fields.ts";
import { pageOf } from "../http/pagination.ts";
import { validate } from "../http/validate.ts";
import { claimOf } from "../idempotency/claim.ts";
import { IdempotencyHeaders } from "../idempotency/header.ts";
import { answerOf } from "./answer.ts";
import { cancelOrder } from "./cancel.ts";
import { draftOrder } from "./draft.ts";
import { providerFor } from "./payments/providers.ts";
import { sendRefundsSoon } from "./payments/send-soon.ts";
import { placeOrder } from "./place.ts";
import { findOrder, listOrders } from "./queries.ts";
import { NewOrder, Order, OrderHeaders, OrderParam, OrdersQuery, toOrder } from "./schemas.ts";

export const orders = new Hono<AppEnv>()
  .post(
    "/orders",
    allow("checkout:write"),
    validate("header", OrderHeaders),
    validate("json", NewOrder),
    creates("Place an order", Order, { headers: ["Idempotent-Replayed"] }),
    async (c) => {
      const order = c.req.valid("json");
      const headers = c.req.valid("header");
      const { caller, db, settings } = c.var;
      const draft = draftOrder(caller, authorOf(c), order, headers["x-cart-token"], settings.currency);
      const claim = claimOf(caller, headers, ["POST /orders", order]);
      const outcome = await placeOrder(db, draft, claim, providerFor(settings, draft.paymentMethod));
      return created(c, "Order placed", answerOf(c, outcome));
    },
  )
  .get(
    "/account/orders",
    allow("checkout:read"),
    validate("query", OrdersQuery),
    lists("List your orders", Order),
    async (c) => {
      const query = c.req.valid("query");
      const { rows, totalItems } = await listOrders(c.var.db, c.var.caller, query);
      return list(c, "Orders", rows.map(toOrder), pageOf(query, totalItems));
    },
  )
  .get(
    "/account/orders/:orderId",
    allow("checkout:read"),
    validate("param", OrderParam),
    answers("Get an order of yours", Order),
    async (c) => {
      const { orderId } = c.req.valid("param");
      const order = await findOrder(c.var.db, c.var.caller, orderId);
      if (!order) throw notFound(`Order ${orderId}`);
      return ok(c, "Order", toOrder(order));
    },
  )
  .post(
    "/account/orders/:orderId/cancel",
    allow("checkout:write"),
    validate("param", OrderParam),
    validate("header", IdempotencyHeaders),
    validate("json", Nothing),
    answers("Cancel an order", Order, { headers: ["Idempotent-Replayed"] }),
    async (c) => {
      const { orderId } = c.req.valid("param");
      const claim = claimOf(c.var.caller, c.req.valid("header"), ["cancel", orderId]);
      const outcome = await cancelOrder(c.var.db, c.var.caller, authorOf(c), orderId, claim);
      sendRefundsSoon(c, outcome.order);
      return ok(c, "Order cancelled", answerOf(c, outcome));
    },
  );
