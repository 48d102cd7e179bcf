import type { Schema } from "@storefront-worker/api/client";
import { Hono } from "hono";
import { accountPage } from "../account/area.tsx";
import { reorder } from "../cart/reorder.ts";
import { sendFile } from "../downloads/send-file.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { unlessRefused } from "../parts/unless-refused.ts";
import { me } from "../session/signed-in.ts";
import { tell } from "../told.ts";
import { apiOfOrder, findGuestOrders, findOrder, findOrderId } from "./find-order.ts";
import { GuestOrdersPage, OrdersPage } from "./list-page.tsx";
import { NoOrderPage } from "./no-order-page.tsx";
import { findLinkedOrder, linkTokenOf, openLink, rememberLink } from "./order-links.ts";
import { OrderPage } from "./order-page.tsx";
import { isWaiting, payAddress } from "./pay-address.ts";
import { PayPage } from "./pay-page.tsx";
import { forgetShipment, newShipments } from "./shipments.ts";
import { CardPage, type ShownSubscription } from "./subscription.tsx";

export const orders = new Hono<AppEnv>()
  .get("/orders", async (c) => {
    const guestOrders = await findGuestOrders(c);
    if (!c.var.shopper && guestOrders.length > 0) {
      const shipped = await newShipments(c, guestOrders.map(idOf));
      return page(c, "Orders", <GuestOrdersPage orders={guestOrders} shipped={shipped} />);
    }
    const query = { page: Number(c.req.query("page") ?? 1), per_page: 10 };
    const [list, profile] = await Promise.all([
      me(c).GET("/api/v1/user/account/orders", { params: { query } }),
      me(c).GET("/api/v1/user/account/profile"),
    ]);
    const shipped = await newShipments(c, [...list.data, ...guestOrders].map(idOf));
    const props = { orders: list, guestOrders, shipped, profile: profile.data, url: c.req.url };
    const content = <OrdersPage {...props} />;
    return accountPage(c, "Orders", content);
  })
  .get("/orders/:id{[0-9]+}", async (c) => {
    const orderId = Number(c.req.param("id"));
    const [order, packages, licenseKeys, subscriptions, invoices] = await Promise.all([
      findOrder(c, orderId),
      packagesOf(c, orderId),
      licenseKeysOf(c, orderId),
      subscriptionsOf(c, orderId),
      invoicesOf(c, orderId),
    ]);
    c.executionCtx.waitUntil(forgetShipment(c, orderId));
    const email = order.customer.id === null ? order.customer.email : null;
    const { shipping_address: address, billing_address: billingAddress } = order;
    const isConfirmed = c.req.query("returned") === undefined || !isWaiting(order);
    // Payment services confirm within seconds.
    if (!isConfirmed) c.header("Refresh", "5");
    const props = {
      order,
      address,
      billingAddress,
      email,
      packages,
      licenseKeys,
      subscriptions,
      invoices,
      invoiceHref: (id: number) => `/orders/${orderId}/invoices/${id}`,
      env: c.env,
      isConfirmed,
      reorderPath: `/orders/${orderId}/reorder`,
      actionsPath: `/orders/${orderId}`,
    };
    const content = (
      <>
        <p class="trail">
          <a href="/orders">Orders</a>
        </p>
        <OrderPage {...props} />
      </>
    );
    return page(c, `Order ${order.number}`, content);
  })
  .post("/orders/:id{[0-9]+}/reorder", async (c) => {
    const gone = await reorder(c, await findOrder(c, Number(c.req.param("id"))));
    const words = gone.length === 0 ? "Your cart has everything of this order." : `No longer sold: ${gone.join(", ")}.`;
    return tell(c, words, "/cart");
  })
  .post("/orders/:id{[0-9]+}/cancel", async (c) => {
    const orderId = Number(c.req.param("id"));
    const api = await apiOfOrder(c, orderId);
    return unlessRefused(c, `/orders/${orderId}`, async () => {
      await api.POST("/api/v1/user/account/orders/{orderId}/cancel", { params: { path: { orderId } }, body: {} });
      return tell(c, "Your order was cancelled.", `/orders/${orderId}`);
    });
  })
  .post("/orders/:id{[0-9]+}/return", async (c) => {
    const orderId = Number(c.req.param("id"));
    const api = await apiOfOrder(c, orderId);
    return unlessRefused(c, `/orders/${orderId}`, async () => {
      await api.POST("/api/v1/user/account/orders/{orderId}/returns", { params: { path: { orderId } }, body: {} });
      return tell(c, "You requested a return. We will e-mail you.", `/orders/${orderId}`);
    });
  })
  .post("/orders/:id{[0-9]+}/subscriptions/:subscription{[0-9]+}/cancel", async (c) => {
    const orderId = Number(c.req.param("id"));
    const api = await apiOfOrder(c, orderId);
    return unlessRefused(c, `/orders/${orderId}`, async () => {
      const path = { id: Number(c.req.param("subscription")) };
      await api.POST("/api/v1/user/account/subscriptions/{id}/cancel", { params: { path }, body: {} });
      return tell(c, "Your subscription was cancelled.", `/orders/${orderId}`);
    });
  })
  .post("/orders/:id{[0-9]+}/subscriptions/:subscription{[0-9]+}/card", async (c) => {
    const orderId = Number(c.req.param("id"));
    const api = await apiOfOrder(c, orderId);
    return unlessRefused(c, `/orders/${orderId}`, async () => {
      const path = { id: Number(c.req.param("subscription")) };
      const { data } = await api.POST("/api/v1/user/account/subscriptions/{id}/portal", { params: { path }, body: {} });
      // Not a redirect: the policy's form-action names no payment service.
      c.header("Refresh", `0; url=${new URL(data.url).href}`);
      return page(c, "Your card", <CardPage orderPath={`/orders/${orderId}`} url={data.url} />);
    });
  })
  .get("/orders/:id{[0-9]+}/invoices/:invoice{[0-9]+}", async (c) => {
    const api = await apiOfOrder(c, Number(c.req.param("id")));
    const path = { id: Number(c.req.param("invoice")), format: "pdf" as const };
    const { response } = await api.GET("/api/v1/user/account/invoices/{id}/{format}", {
      params: { path },
      parseAs: "stream",
    });
    return c.body(response.body ?? "", 200, {
      "Content-Type": "application/pdf",
      "Content-Disposition": response.headers.get("Content-Disposition") ?? "attachment",
    });
  })
  .get("/orders/:id{[0-9]+}/pay", async (c) => {
    const order = await findOrder(c, Number(c.req.param("id")));
    const url = payAddress(order);
    if (!url) return c.redirect(`/orders/${order.id}`, 303);
    // Not a redirect, because browsers apply the policy's form-action to redirects after a form, and it names no
    // payment service.
    c.header("Refresh", `0; url=${new URL(url).href}`);
    return page(c, "Payment", <PayPage order={order} orderPath={`/orders/${order.id}`} url={url} />);
  })
  // E-mails about orders link to this route: ORDER_URL of the API. A guest's link has a token.
  .get("/orders/reference/:reference", async (c) => {
    const [reference, token] = [c.req.param("reference"), c.req.query("token")];
    if (token !== undefined) {
      if (!(await openLink(c, token))) return noOrder(c);
      rememberLink(c, token);
      return c.redirect(`/orders/reference/${encodeURIComponent(reference)}`, 303);
    }
    const linked = await findLinkedOrder(c, reference);
    if (linked)
      return page(
        c,
        `Order ${linked.number}`,
        <OrderPage
          order={linked}
          address={null}
          packages={linked.downloads}
          licenseKeys={linked.license_keys}
          guestSubscription={
            linked.subscription !== null && { subscription: linked.subscription, href: guestOrderPage(c, reference) }
          }
          downloadsPath={`/orders/reference/${encodeURIComponent(reference)}/downloads`}
          invoices={linked.invoices}
          invoiceHref={() => guestOrderPage(c, reference)}
          env={c.env}
          isConfirmed
        />,
      );
    const id = await findOrderId(c, reference);
    return id === undefined ? noOrder(c) : c.redirect(`/orders/${id}`, 303);
  })
  .post("/orders/reference/:reference/downloads/:fileId{[0-9]+}", async (c) => {
    const { reference, fileId } = c.req.param();
    const token = linkTokenOf(c, reference);
    if (token === undefined) return noOrder(c);
    return unlessRefused(c, `/orders/reference/${encodeURIComponent(reference)}`, async () => {
      const body = { token, file_id: Number(fileId) };
      return sendFile(c, (await c.var.shop.POST("/api/v1/user/orders/link/downloads", { body })).data);
    });
  })
  // The payment service returns buyers to this route: CHECKOUT_RETURN_URL of the API.
  .get("/orders/return/:reference", async (c) => {
    const id = await findOrderId(c, c.req.param("reference"));
    if (id === undefined) return tell(c, "Your payment appears here once it is confirmed.", "/orders");
    const order = await findOrder(c, id);
    if (order.payment.paid_at !== null) return tell(c, "Thank you! Your payment has arrived.", `/orders/${id}`);
    return c.redirect(`/orders/${id}${isWaiting(order) ? "?returned=yes" : ""}`, 303);
  });

function noOrder(c: ShopContext): Promise<Response> {
  c.status(404);
  return page(c, "Order not found", <NoOrderPage contact={c.env.CONTACT} />);
}

/** The API's page of a guest's order, which has its invoices and the buttons of its subscription. */
function guestOrderPage(c: ShopContext, reference: string): string {
  const url = new URL("/account/order", c.env.API_URL);
  url.searchParams.set("token", linkTokenOf(c, reference) ?? "");
  return url.href;
}

const idOf = ({ id }: Schema["Order"]): number => id;

async function licenseKeysOf(c: ShopContext, orderId: number): Promise<Schema["LicenseKey"][]> {
  const api = await apiOfOrder(c, orderId);
  return (
    await api.GET("/api/v1/user/account/license-keys", { params: { query: { order_id: orderId, per_page: 100 } } })
  ).data;
}

async function subscriptionsOf(c: ShopContext, orderId: number): Promise<ShownSubscription[]> {
  const api = await apiOfOrder(c, orderId);
  return (await api.GET("/api/v1/user/account/subscriptions", { params: { query: { order_id: orderId } } })).data;
}

async function invoicesOf(c: ShopContext, orderId: number): Promise<Schema["Invoice"][]> {
  const api = await apiOfOrder(c, orderId);
  return (await api.GET("/api/v1/user/account/invoices", { params: { query: { order_id: orderId } } })).data;
}

/** Download packages of an account's order. A guest opens theirs by the link in the e-mail. */
async function packagesOf({ var: { shopper } }: ShopContext, orderId: number): Promise<Schema["Package"][]> {
  const found: Schema["Package"][] = [];
  if (!shopper) return found;
  for await (const one of shopper.each("/api/v1/user/account/packages")) if (one.order_id === orderId) found.push(one);
  return found;
}
