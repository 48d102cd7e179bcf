import { expect, it } from "vitest";
import { packages } from "../../src/platform/db/schema.ts";
import { placed } from "../admin/orders/support.ts";
import { entriesOf } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { orderNow, productNow } from "../support/orders.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { db } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

/** Fills in and sends the form of a page. */
async function send(page: string, action: string, fields: Record<string, string>) {
  const { get, post } = await anAdmin();
  const shown = await get(page);
  return post(action, { ...fieldsOf(shown, action), ...fields });
}

it("takes a return from the order's page to its refund by forms", async () => {
  const { get } = await anAdmin();
  const order = await placed({ quantity: 3 });
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/shipments`, { as, body: { carrier: "DHL" } });
  const opened = `/admin/returns/new?order_id=${order.id}`;
  expect((await get(`/admin/orders/${order.id}`)).html).toContain(`href="${opened}"`);

  const tooMany = await send(opened, "/admin/returns", { [`quantity-${order.item}`]: "4" });
  expect(tooMany.status).toBe(400);
  expect(tooMany.html).toContain("must be at most 3");
  const made = await send(opened, "/admin/returns", { [`quantity-${order.item}`]: "2", instructions: "Mill Lane 12" });
  const path = String(made.location);
  expect(path).toMatch(/^\/admin\/returns\/\d+$/);

  await send(path, `${path}/send`, { carrier: "DHL", tracking_number: "00340" });
  const wrong = await send(path, `${path}/receive`, { [`intact-${order.item}`]: "2", [`damaged-${order.item}`]: "1" });
  expect([wrong.status, wrong.html.includes("exceeds the 2 units")]).toEqual([400, true]);
  await send(path, `${path}/receive`, { [`intact-${order.item}`]: "1", [`damaged-${order.item}`]: "1" });
  const settled = await send(path, `${path}/settle`, { deduction: "2.50" });
  expect(settled.location).toBe(path);

  expect((await orderNow(order.id)).refundedTotal).toBe(1_750);
  expect((await productNow(order.product.id))?.stockQuantity).toBe(8);
  expect((await get(path)).html).toContain("17.50");
  expect((await get(`/admin/returns?order_id=${order.id}`)).html).toContain(`href="${path}"`);
  expect((await get(`/admin/orders/${order.id}`)).html).toContain(`href="${path}"`);
  expect((await entriesOf(order.id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(["order.create_return", "order.update_return", "order.refund"]),
  );
});

it("warns of downloads that were used before it refunds them", async () => {
  const { get } = await anAdmin();
  const order = await placed({ quantity: 2 });
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/shipments`, { as, body: { carrier: "DHL" } });
  const made = (await call(`POST /admin/orders/${order.id}/returns`, { as, body: {} })).body.data;
  await call(`PUT /admin/returns/${made.id}`, { as, body: { status: "received" } });
  const warning = `The customer has already downloaded ${order.product.name}.`;
  expect((await get(`/admin/returns/${made.id}`)).html).not.toContain(warning);
  const bought = { userId: order.user.id, orderId: order.id, orderItemId: order.item, units: 2 };
  await db.insert(packages).values({ ...bought, name: "Files", downloadsUsed: 3, startsAt: 0 });
  const { html } = await get(`/admin/returns/${made.id}`);
  expect([html.includes(warning), html.includes("Downloads used")]).toEqual([true, true]);
});

it("approves a request with an address, or declines it with a reason", async () => {
  const order = await placed({ quantity: 2 });
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/shipments`, { as, body: { carrier: "DHL" } });
  const items = [{ id: order.item, quantity: 1 }];
  const ask = async () =>
    (await call(`POST /account/orders/${order.id}/returns`, { as: order.user.token, body: { items } })).body.data.id;
  const [first, second] = [`/admin/returns/${await ask()}`, `/admin/returns/${await ask()}`];
  await send(first, `${first}/approve`, { instructions: "Mill Lane 12" });
  expect((await send(second, `${second}/decline`, {})).status).toBe(400);
  await send(second, `${second}/decline`, { decline_reason: "Worn" });
  const { data } = (await call(`GET /admin/returns?order_id=${order.id}`, { as })).body;
  expect(data).toMatchObject([
    { status: "declined", decline_reason: "Worn" },
    { status: "approved", instructions: "Mill Lane 12" },
  ]);
});
