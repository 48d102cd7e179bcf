import { describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aDiscount } from "../support/pricing.ts";
import { aFile, aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

const { get, post, token, name: administrator } = await anAdministrator();
const file = await aFile();
const product = await aProduct({
  name: "The Named Lamp",
  type: "digital",
  requiresShipping: false,
  fileIds: [file.id],
});
const buyer = await aUser({ name: "Ada Lovelace", wallet: 100_000 });
const order = (await call("POST /orders", { as: buyer.token, body: orderOf(product) })).body.data;

const discount = await aDiscount({ kind: "buy_x_get_y", buyQuantity: 2, getQuantity: 1, productIds: [product.id] });

/** Targets of the links with this text. */
const leads = (html: string, words: string): string[] =>
  [...html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].flatMap(([, href = "", text]) =>
    text === words ? [href] : [],
  );

describe("records that pages refer to are named, and linked to their page", () => {
  it.each([
    ["the packages", "/admin/packages", "Ada Lovelace", `/admin/customers/${buyer.id}`],
    ["the packages' orders", "/admin/packages", order.number, `/admin/orders/${order.id}`],
    ["a file's products", `/admin/files/${file.id}`, "The Named Lamp", `/admin/products/${product.id}`],
    ["an order's history", `/admin/orders/${order.id}`, "Ada Lovelace", `/admin/customers/${buyer.id}`],
    ["a customer's transactions", `/admin/customers/${buyer.id}`, order.number, `/admin/orders/${order.id}`],
  ])("by %s", async (_, page, words, path) => {
    expect(leads((await get(page)).html, words)).toContain(path);
  });

  it("by the audit log: the author, the action and its ids", async () => {
    const body = { user_id: buyer.id, name: "A gift", file_ids: [file.id] };
    const granted = (await call("POST /admin/packages", { as: token, body })).body.data;
    const { html } = await get("/admin/audit-log");
    expect(leads(html, "A gift")).toContain(`/admin/packages/${granted.id}`);
    expect(leads(html, "Ada Lovelace")).toContain(`/admin/customers/${buyer.id}`);
    expect(leads(html, file.name)).toContain(`/admin/files/${file.id}`);
    expect(leads(html, administrator).length).toBeGreaterThan(0);
  });

  it("by the audit log in words, without database names", async () => {
    const body = { name: "Wordy", permissions: ["products:read"], expires_at: "2035-01-31T12:00:00Z" };
    const key = (await call("POST /admin/api-keys", { as: token, body })).body.data;
    await call(`POST /admin/api-keys/${key.id}/rotate`, { as: token, body: { grace_seconds: 60 } });
    await call("POST /admin/saved-views", {
      as: token,
      body: { list: "orders", name: "Mine", filters: { status: "pending" } },
    });
    const { html } = await get("/admin/audit-log?per_page=100");
    const texts = html.replaceAll(/<[^>]+>/g, "\n");
    expect(texts).toContain("Previous value valid until");
    expect(texts).toContain("31 Jan 2035");
    expect(texts.match(/\b[a-z]+_[a-z_]+\b|\b(user|api_key):\d+|\{"|\d{4}-\d\d-\d\dT/g)).toBeNull();
  });

  it("by the audit log under their former name after deletion", async () => {
    const made = await aProduct({ name: "Gone For Good" });
    await call(`DELETE /admin/products/${made.id}`, { as: token });
    const { html } = await get("/admin/audit-log");
    expect(html).toContain("Gone For Good");
    expect(leads(html, "Gone For Good")).toEqual([]);
  });

  it("by an order that a key placed", async () => {
    const { key, name } = await aKey({ permissions: ["orders:write"], name: "The Storefront Key" });
    const guests = {
      ...orderOf(await aProduct(), 1, { payment_method: "paypal" }),
      customer: { name: "A Guest", email: "g@names.test" },
    };
    const { id } = (await call("POST /orders", { as: key, body: guests })).body.data;
    expect(leads((await get(`/admin/orders/${id}`)).html, name)[0]).toMatch(/^\/admin\/api-keys\/\d+$/);
  });
});

it("shows words on every page, and no identifiers of the code", async () => {
  const paths = [
    "",
    "/products",
    "/orders",
    "/customers",
    "/files",
    "/packages",
    "/license-keys",
    "/gift-cards",
    "/subscriptions",
    "/audit-log",
    "/api-keys",
    "/categories",
    "/discounts",
  ];
  const details = [
    `/products/${product.id}`,
    `/orders/${order.id}`,
    `/customers/${buyer.id}`,
    `/files/${file.id}`,
    `/discounts/${discount.id}`,
  ];
  for (const path of [...paths, ...details]) {
    const { html } = await get(`/admin${path}`);
    const text = html.replace(/<(code|script|style|option|time)\b.*?<\/\1>|<[^>]*>/gs, " ");
    expect(text.match(/\b[A-Za-z]*[a-z][A-Z][A-Za-z]*\b|\bundefined\b|\bNaN\b|\[object /g) ?? [], path).toEqual(
      path === "" ? ["PayPal"] : [],
    );
  }
});

it("links to the carrier's page of a parcel, which learns nothing about the panel", async () => {
  const parcel = await aProduct();
  const { id } = (await call("POST /orders", { as: buyer.token, body: orderOf(parcel) })).body.data;
  const shipment = { carrier: "DHL", tracking_number: "00340", tracking_url: "https://dhl.test/track?a=1&b=2" };
  await call(`PUT /admin/orders/${id}`, { as: token, body: { status: "shipped", shipment } });
  const { html } = await get(`/admin/orders/${id}`);
  expect(html).toContain(
    '<a href="https://dhl.test/track?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">00340</a>',
  );
});

it("accepts a decimal comma in a price", async () => {
  const { status } = await post(`/admin/customers/${buyer.id}/credit`, { amount: "12,50", reason: "A comma" });
  expect(status).toBe(303);
  expect((await get(`/admin/customers/${buyer.id}`)).html).toContain("$12.50");
  const refused = await post(`/admin/customers/${buyer.id}/credit`, { amount: "1,234", reason: "A comma" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("can mean 1234.00 or 1.234. Enter it without a thousands separator");
});

it.each([
  ["$5", 5],
  ["US$ 1 299,00", 1299],
  ["1.299,50 USD", 1299.5],
  ["１２", 12],
])("credits %j as it is written", async (amount, credited) => {
  const { id } = await aUser();
  expect((await post(`/admin/customers/${id}/credit`, { amount, reason: "As written" })).status).toBe(303);
  const { body } = await call(`GET /admin/users/${id}`, { as: token });
  expect(body.data.wallet_balance).toBe(credited);
});

it("refuses an amount in another currency, and keeps the typed value", async () => {
  const refused = await post(`/admin/customers/${buyer.id}/credit`, { amount: "€ 5", reason: "As written" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("</a>: must be an amount in USD, not in €");
  expect(refused.html).toContain('value="€ 5"');
});

it("accepts a percentage with its sign", async () => {
  const sent = { country: "DE", name: "VAT", tax_class: "standard", rate: "19 %" };
  expect((await post("/admin/tax-rates", sent)).status).toBe(303);
  const { body } = await call("GET /admin/tax-rates?country=DE", { as: token });
  expect(body.data).toMatchObject([{ rate: 19 }]);
});

it("labels today on the home page's charts, and formats dates there like others", async () => {
  const { html } = await get("/admin");
  const today = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
  expect(html).toMatch(/<text[^>]*>Today<\/text>/);
  expect(html).toContain(`${today.format(Date.now())} (today)`);
  expect(html).not.toMatch(/>\d{4}-\d\d-\d\d</);
});

it("shows the audit log with records of any name", async () => {
  const name = "2026-99-99T9Z";
  expect((await call("POST /admin/categories", { as: token, body: { name } })).status).toBe(201);
  const { status, html } = await get("/admin/audit-log");
  expect(status).toBe(200);
  expect(html).toContain(`<ins>${name}</ins>`);
});
