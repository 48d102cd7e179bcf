import { expect, it } from "vitest";
import { placed } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct } from "../support/shop.ts";

// What a packer does and sees. Routes and links of all roles are swept in roles.test.ts and matrix.test.ts.

const aPacker = shared(() => anAdministrator({ role: "packer" }));

let guests = 0;
/** An order of a guest to be paid on delivery, with a bill to somebody else. */
async function anOrder(more: object = {}) {
  const email = `secret-${++guests}@buyers.test`;
  const { body } = await call("POST /admin/orders", {
    as: await asAdministrator(),
    body: {
      customer: { email, name: "Greta Guest" },
      items: [{ product_id: (await aProduct({ price: 1_234 })).id, quantity: 2 }],
      shipping_address: { ...ADDRESS, country: "DE" },
      billing_address: { ...ADDRESS, name: "Billed Elsewhere", country: "DE" },
      payment_method: "cash",
      ...more,
    },
  });
  return { id: Number(body.data.id), email };
}

it("ships an order by its page", async () => {
  const { get, post } = await aPacker();
  const { id } = await placed({ quantity: 2 });
  const path = `/admin/orders/${id}/shipments`;
  const page = await get(`/admin/orders/${id}`);
  expect(page.html).not.toMatch(/Edit order|Cancel order|Refund|Correct the address|Add note|Create return/);
  const sent = await post(path, { ...fieldsOf(page, path), carrier: "DHL", tracking_number: "00340" });
  expect(sent.status).toBe(303);
  const { html } = await get(`/admin/orders/${id}`);
  const correction = new RegExp(`/admin/orders/${id}/shipments/\\d+`).exec(html)?.[0] ?? "";
  expect((await post(correction, { carrier: "DPD", tracking_number: "1", tracking_url: "" })).status).toBe(303);
});

it("prints slips and a pick list of selected orders, and changes none of them", async () => {
  const { get, post } = await aPacker();
  const { id } = await anOrder();
  const printed = await post("/admin/orders/bulk", { ids: String(id), action: "pick-list" });
  expect((await get(String(printed.location))).html).toContain("Pick list");
  expect((await get(`/admin/orders/packing-slips?ids=${id}`)).html).toContain("Collect");
  for (const action of ["paid", "ship"]) {
    expect((await post("/admin/orders/bulk", { ids: String(id), action, carrier: "DHL" })).status).toBe(403);
  }
});

it("sees where an order goes and what is to be collected, but no e-mail address and no bill", async () => {
  const { get } = await aPacker();
  const { id, email } = await anOrder();
  const pages = [`/admin/orders/${id}`, "/admin/orders", `/admin/orders/${id}/packing-slip`, "/admin/search?q=Greta"];
  for (const path of pages) {
    const { status, html } = await get(path);
    expect([path, status, html.includes(email), html.includes("Billed Elsewhere")]).toEqual([path, 200, false, false]);
  }
  const { html } = await get(`/admin/orders/${id}`);
  expect([html.includes(ADDRESS.city), html.includes("To collect")]).toEqual([true, true]);
  for (const path of [
    "/admin/exports/orders/csv",
    "/admin/sales",
    "/admin/transactions",
    `/admin/orders/${id}/invoice`,
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 403]);
  }
});

it("has a key for a program that ships, which reads orders without e-mail addresses", async () => {
  const { key: as } = await aKey({ permissions: ["shipments:read", "shipments:write"] });
  const { id, email } = await anOrder();
  const answers = [
    await call(`GET /admin/orders/${id}`, { as }),
    await call("GET /admin/orders", { as }),
    await call(`POST /admin/orders/${id}/shipments`, { as, body: { carrier: "DHL" } }),
  ];
  for (const { status, body } of answers) {
    expect(status).toBeLessThan(300);
    expect(JSON.stringify(body)).not.toContain(email);
    expect(JSON.stringify(body)).not.toContain("Billed Elsewhere");
  }
  expect(answers[0]?.body.data).toMatchObject({ shipping_address: { city: ADDRESS.city }, total: 24.68 });
  const change = { status: "cancelled" };
  expect((await call(`PUT /admin/orders/${id}`, { as, body: change })).status).toBe(403);
});
