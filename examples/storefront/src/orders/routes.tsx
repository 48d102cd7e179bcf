import { Hono } from "hono";
import type { Schema, Storefront } from "storefront/client";
import type { AppEnv } from "../env.ts";
import { page } from "../page.tsx";
import { me } from "../session/signed-in.ts";
import { OrdersPage } from "./list-page.tsx";
import { OrderPage } from "./order-page.tsx";

export const orders = new Hono<AppEnv>()
  .get("/orders", async (c) => {
    const query = { page: Number(c.req.query("page") ?? 1), per_page: 10 };
    const [list, profile] = await Promise.all([
      me(c).GET("/api/v1/user/account/orders", { params: { query } }),
      me(c).GET("/api/v1/user/account/profile"),
    ]);
    return page(c, "Orders", <OrdersPage orders={list} profile={profile.data} url={c.req.url} />);
  })
  .get("/orders/:id{[0-9]+}", async (c) => {
    const orderId = Number(c.req.param("id"));
    const [order, packages] = await Promise.all([
      me(c).GET("/api/v1/user/account/orders/{orderId}", { params: { path: { orderId } } }),
      packagesOf(me(c), orderId),
    ]);
    return page(c, `Order ${order.data.number}`, <OrderPage order={order.data} packages={packages} />);
  });

/** Newest first: those of a new order stand on the first page. */
async function packagesOf(shopper: Storefront, orderId: number): Promise<Schema["Package"][]> {
  const found: Schema["Package"][] = [];
  for await (const one of shopper.each("/api/v1/user/account/packages")) if (one.order_id === orderId) found.push(one);
  return found;
}
