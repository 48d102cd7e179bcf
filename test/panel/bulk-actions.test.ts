import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { runJob } from "../support/jobs.ts";
import { anAdministrator } from "../support/panel.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const admin = await anAdministrator();
const { post } = admin;

describe("a refused change of rows that were selected", () => {
  it.each([
    ["orders", { action: "ship", carrier: "" }, "Carrier"],
    ["products", { action: "add", pieces: "many", "stock.reason": "Delivery" }, "Pieces"],
    ["products", { action: "add", pieces: "", "stock.reason": "Delivery" }, "Pieces"],
    ["products", { action: "count", pieces: "", "stock.reason": "Counted" }, "Pieces"],
    ["products", { action: "price", "change.price_percent": "none" }, "By percent"],
    ["products", { action: "price", "change.price_percent": "" }, "By percent"],
    ["products", { action: "activate", ids: [] }, "Selected rows"],
  ])("of %s links to the field and back to the list: %j", async (list, form, label) => {
    const { status, html } = await post(`/admin/${list}/bulk`, { ids: ["1", "2"], filters: "sort=id&q=a", ...form });
    expect(status).toBe(400);
    const [, id] = new RegExp(`<a href="#([^"]+)">${label}</a>: `).exec(html) ?? [];
    expect(html).toContain(` id="${id}"`);
    expect(html).toContain(`<a class="back" href="/admin/${list}?sort=id&amp;q=a">`);
  });

  it.each(["constructor", "toString", "__proto__", ""])("is refused as no known action: %j", async (action) => {
    for (const list of ["orders", "products"]) {
      expect((await post(`/admin/${list}/bulk`, { ids: "1", filters: "", action })).status).toBe(400);
    }
  });
});

it("leads back to the list with any filters", async () => {
  const { id } = await aProduct();
  const form = { action: "draft", ids: String(id), filters: "search=a\r\nX-Injected: 1" };
  const { status, location, headers } = await post("/admin/products/bulk", form);
  expect([status, location, headers.get("X-Injected")]).toEqual([
    303,
    "/admin/products?search=a%0AX-Injected%3A+1",
    null,
  ]);
});

it("explains a refused change, and links to the job of a successful one", async () => {
  const { id } = await aProduct();
  const form = { action: "price", ids: String(id), filters: "", "change.price_percent": "5" };
  const done = await post("/admin/products/bulk", form);
  const cookie = done.headers.getSetCookie().find((each) => each.includes("panel-flash="));
  expect(decodeURIComponent(cookie ?? "")).toMatch(/=success:\d+:Updated 1 product\.;/);

  const dates = { starts_at: "2035-02-01T00:00", ends_at: "2035-01-01T00:00" };
  const refused = await post("/admin/discounts", { name: "Late", kind: "percentage", percent: "5", ...dates });
  expect(refused.html).toContain("must be after the start");
  expect(refused.html.replaceAll(/<[^>]+>/g, "\n")).not.toMatch(/\b(starts|ends)_at\b/);
});

it("asks for confirmation before it changes all orders of a list", async () => {
  const buyer = await aUser();
  const body = orderOf(await aProduct(), 1, { payment_method: "paypal" });
  const { id } = (await call("POST /orders", { as: buyer.token, body })).body.data;
  const statusOf = async () => (await call(`GET /admin/orders/${id}`, { as: admin.token })).body.data.payment_status;
  const form = { action: "paid", all: "true", filters: `user_id=${buyer.id}`, matched: "1" };
  const asked = await post("/admin/orders/bulk", form);
  expect(asked.html).toContain("All 1 in the list");
  expect(asked.html).toContain('name="confirmed" value="true"');
  expect(await statusOf()).toBe("unpaid");
  expect((await post("/admin/orders/bulk", { ...form, confirmed: "true" })).status).toBe(303);
  expect(await statusOf()).toBe("paid");
});

it("gives the reason for each row that an undo leaves as it is", async () => {
  const [kept, edited] = [await aProduct({ price: 1_000 }), await aProduct({ price: 1_000, name: "Edited lamp" })];
  const body = { ids: [kept.id, edited.id], change: { price_percent: 10 } };
  const job = (await call("POST /admin/products/bulk-actions", { as: admin.token, body })).body.data;
  await call(`PUT /admin/products/${edited.id}`, { as: admin.token, body: { price: 5 } });
  const { location } = await post(`/admin/jobs/${job.id}/undo`);
  await runJob(Number(location?.split("/").at(-1)));
  const { html } = await admin.get(location ?? "");
  expect(html).toContain("of which 1 failed");
  const row = /<tr>(?:(?!<\/tr>).)*Edited lamp.*?<\/tr>/s.exec(html)?.[0] ?? "";
  expect(row).toContain("was edited since and stays as it is");
});
