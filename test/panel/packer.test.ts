import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { orders } from "../../src/platform/db/schema.ts";
import { placed } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, db } from "../support/shop.ts";

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

it("gets no note, payment reference, refund amount or text of a program from any page or route", async () => {
  const { get } = await aPacker();
  const { key } = await aKey({ permissions: ["shipments:read", "shipments:write"] });
  const as = await asAdministrator();
  const { id, email } = await anOrder({ note: "Remark on placing" });
  await db
    .update(orders)
    .set({ paymentReference: `pi_secret_${id}` })
    .where(eq(orders.id, id));
  for (const [line, body] of [
    [`PUT /admin/orders/${id}`, { metadata: { source: "Text of a program" } }],
    [`PUT /admin/orders/${id}`, { payment_status: "paid", note: "Remark on payment" }],
    [`POST /admin/orders/${id}/refunds`, { amount: 3.21, note: "Remark on refund" }],
    [`POST /admin/orders/${id}/notes`, { text: "Remark for staff" }],
  ] as const) {
    expect([line, (await call(line, { as, body })).status < 300]).toEqual([line, true]);
  }
  const secrets = [email, "Remark", `pi_secret_${id}`, /\b3\.21\b/, "Text of a program"];
  const read = async (path: string) => [path, (await get(path)).html] as const;
  const ask = async (line: string, body?: object) => [line, JSON.stringify((await call(line, { as: key, body })).body)];
  const shown = [
    await read(`/admin/orders/${id}`),
    await read("/admin"),
    await read("/admin/orders?search=Greta"),
    await read(`/admin/orders/${id}/packing-slip`),
    await read(`/admin/orders/packing-slips?ids=${id}`),
    await read(`/admin/orders/pick-list?ids=${id}`),
    await ask(`GET /admin/orders/${id}`),
    await ask("GET /admin/orders"),
    await ask(`POST /admin/orders/${id}/shipments`, { carrier: "DHL" }),
    await ask(`GET /admin/orders/${id}`),
  ] as const;
  for (const [where, text = ""] of shown) {
    expect([where, secrets.filter((secret) => text.match(secret))]).toEqual([where, []]);
  }
  expect((await call(`GET /admin/orders/${id}`, { as: key })).body.data).toMatchObject({
    history: [
      { kind: "status", to: "processing" },
      { kind: "status", to: "shipped" },
    ],
    refunded_total: 0,
  });
});

it("cannot find out an e-mail address by the search", async () => {
  const [packer, { get }] = [await aPacker(), await anAdministrator({ role: "support" })];
  const { key: as } = await aKey({ permissions: ["shipments:read"] });
  const { id } = await anOrder({ customer: { email: "hidden@probed.test", name: "Left Out" } });
  await db.update(orders).set({ customerName: null }).where(eq(orders.id, id));
  const link = `/admin/orders/${id}"`;
  for (const search of ["hidden@probed.test", "hidd", "probed"]) {
    for (const path of [`/admin/orders?search=${search}`, `/admin/search?q=${search}`]) {
      const seen = [(await get(path)).html.includes(link), (await packer.get(path)).html.includes(link)];
      expect([path, ...seen]).toEqual([path, true, false]);
    }
    const picked = `/admin/pick?kinds=order&q=${search}`;
    expect((await packer.get(picked)).html).toBe((await packer.get("/admin/pick?kinds=order&q=nothing")).html);
    expect((await call(`GET /admin/orders?search=${search}`, { as })).body.data).toEqual([]);
    const printed = { all: "true", filters: `search=${search}`, action: "pick-list" };
    expect((await packer.post("/admin/orders/bulk", printed)).location ?? "").not.toMatch(/ids=\d/);
  }
  const { number } = (await call(`GET /admin/orders/${id}`, { as })).body.data;
  const { html } = await packer.get(`/admin/search?q=${encodeURIComponent(number)}`);
  expect([html.includes("guest"), html.includes("probed")]).toEqual([true, false]);
  const byCity = (await call(`GET /admin/orders?search=${encodeURIComponent(ADDRESS.city)}`, { as })).body.data;
  expect(byCity.map((order: { id: number }) => order.id)).toContain(id);
});

it("finds orders by where they go, but not by the words of another billing address", async () => {
  const { get } = await aPacker();
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  const city = { ...ADDRESS, city: `City${word}`, country: "DE" };
  const bill = { ...ADDRESS, name: `Bill${word} Payer`, country: "DE" };
  const customer = { email: `${word}@buyers.test`, name: `Name${word}` };
  const plain = await anOrder({ customer, shipping_address: city, billing_address: null });
  const billed = await anOrder({ customer, shipping_address: city, billing_address: bill });
  const found = async (search: string) => {
    const { html } = await get(`/admin/orders?search=${search}`);
    return [plain, billed].filter(({ id }) => html.includes(`href="/admin/orders/${id}"`)).map(({ id }) => id);
  };
  expect(await found(`City${word}`)).toEqual([plain.id, billed.id]);
  expect(await found(`Name${word}`)).toEqual([plain.id, billed.id]);
  expect(await found(`Bill${word}`)).toEqual([]);
  expect(await found(`Bill${word.slice(0, 4)}`)).toEqual([]);
});
