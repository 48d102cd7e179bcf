import { Hono } from "hono";
import { allow } from "../auth/gates.ts";
import { CartHeaders } from "../cart-token.ts";
import type { AppEnv } from "../env.ts";
import { notFound } from "../errors.ts";
import { created, list, ok } from "../http/envelope.ts";
import { pageOf } from "../http/pagination.ts";
import { validate } from "../http/validate.ts";
import { draftOrder } from "./draft.ts";
import { placeOrder } from "./place.ts";
import { findOrder, listOrders } from "./queries.ts";
import { NewOrder, OrderParam, OrdersQuery, toOrder } from "./schemas.ts";

export const orders = new Hono<AppEnv>()
  .post("/orders", allow("orders:write"), validate("header", CartHeaders), validate("json", NewOrder), async (c) => {
    const cartToken = c.req.valid("header")["x-cart-token"];
    const draft = draftOrder(c.var.caller, c.req.valid("json"), cartToken, c.var.settings.currency);
    return created(c, "Order placed", toOrder(await placeOrder(c.var.db, draft)));
  })
  .get("/account/orders", allow("orders:read"), validate("query", OrdersQuery), async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems } = await listOrders(c.var.db, c.var.caller, query);
    return list(c, "Orders", rows.map(toOrder), pageOf(query, totalItems));
  })
  .get("/account/orders/:orderId", allow("orders:read"), validate("param", OrderParam), async (c) => {
    const { orderId } = c.req.valid("param");
    const order = await findOrder(c.var.db, c.var.caller, orderId);
    if (!order) throw notFound(`Order ${orderId}`);
    return ok(c, "Order", toOrder(order));
  });
