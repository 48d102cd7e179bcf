import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { app } from "../../src/app.ts";
import { orderLinkToken } from "../../src/platform/auth/order-link.ts";
import { orders } from "../../src/platform/db/schema.ts";
import { call, callWith, requestTo } from "../support/call.ts";
import { aSendingShop, tokenIn } from "../support/emails.ts";
import { aVisitor } from "../support/panel.ts";
import { aRefusal } from "../support/refusal.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aParent, aProduct, aUser, aVariant, db, onPurpose, orderOf } from "../support/shop.ts";

const { bindings, call: callAndSend, received } = aSendingShop();
let key: string;
let people = 0;

const texts = { contact: "hello@lamps.example\n0117 496 0123" };
const instructions = "Pay to account <123>";

beforeAll(async () => {
  key = (await aKey()).key;
  await call("PUT /admin/shop", { as: await asAdministrator(), body: texts });
  const body = { bank_transfer: { instructions } };
  await call("PUT /admin/payment-settings", { as: await asAdministrator(), body });
});

/** A guest's unpaid order, with the confirmation e-mail. */
async function anOrder(more: object = {}, with_: object = {}) {
  const customer = { email: `guest-${++people}@example.test`, name: "Greta Guest" };
  const sold = await aProduct({ name: "Satchel", price: 14_900 });
  const body = orderOf(sold, 2, { payment_method: "paypal", customer, shipping_address: ADDRESS, ...more });
  const placed = await callWith({ ...bindings, ...with_ }, "POST /orders", { as: key, body });
  const [email] = received(customer.email);
  return { ...placed.body.data, email: email ?? { text: "", html: "" }, customer };
}

const openLink = (token: string, as?: string) => call("POST /orders/link", { body: { token }, ...(as && { as }) });

async function openPage(token: string, headers: Record<string, string> = {}) {
  const request = requestTo(`GET https://shop.test/account/order?token=${token}`, { headers });
  const response = await app.fetch(request, env, createExecutionContext());
  return { status: response.status, html: await response.text() };
}

it("opens a guest's order by the link in its e-mails, with payment and contact details but without typed texts", async () => {
  const order = await anOrder();
  const token = tokenIn(order.email);
  expect(order.email.text).toContain(`https://shop.test/account/order?token=${token}`);
  for (const text of [texts.contact, instructions]) expect(order.email.text).toContain(text);
  for (const as of [undefined, key, (await aUser()).token]) {
    const { status, body } = await openLink(token, as);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      number: order.number,
      status: "pending",
      total: 298,
      payment: { instructions, next_action: null, paid_at: null },
      items: [{ name: "Satchel", quantity: 2, unit_price: 149, total: 298 }],
      shop: { name: "Storefront", contact: texts.contact },
    });
    for (const typed of [ADDRESS.name, ADDRESS.address, order.customer.email, order.customer.name, "actor", "note"])
      expect(JSON.stringify(body.data)).not.toContain(typed);
  }
  const { status, html } = await openPage(token);
  expect(status).toBe(200);
  for (const shown of [order.number, "Satchel", "$298.00", "waiting for payment", "hello@lamps.example", "&lt;123&gt;"])
    expect(html).toContain(shown);
  for (const typed of [ADDRESS.address, order.customer.email, order.customer.name]) expect(html).not.toContain(typed);
});

it("leads to the shop's page if there is one, and to the same order after a parcel was shipped", async () => {
  const order = await anOrder({}, { ORDER_URL: "https://shop.example/orders/reference/{reference}?from=e-mail" });
  const token = tokenIn(order.email);
  expect(order.email.text).toContain(
    `https://shop.example/orders/reference/${order.reference}?from=e-mail&token=${token}`,
  );
  const as = await asAdministrator();
  const shipment = { carrier: "Post", tracking_url: "https://post.test/1" };
  await callAndSend(`PUT /admin/orders/${order.id}`, { as, body: { payment_status: "paid" } });
  await callAndSend(`PUT /admin/orders/${order.id}`, { as, body: { status: "shipped", shipment } });
  const shipped = received(order.customer.email).at(-1) ?? { text: "" };
  expect(tokenIn(shipped)).toBe(token);
  expect((await openLink(token)).body.data).toMatchObject({
    status: "shipped",
    shipments: [{ carrier: "Post", tracking_number: null, tracking_url: "https://post.test/1" }],
  });
  expect((await openPage(token)).html).toContain('href="https://post.test/1"');
});

it("shows no order for a token that this shop did not make for it, nor an account's or an old one's", async () => {
  const [mine, other] = [await anOrder(), await anOrder()];
  const token = tokenIn(mine.email);
  const user = await aUser({ wallet: 100_000 });
  const { body } = await call("POST /orders", { as: user.token, body: orderOf(await aProduct(), 1) });
  const secrets = env.LINK_SECRET.split(",") as [string, ...string[]];
  const refused = {
    none: "",
    "a number alone": mine.number,
    "a number in place of the reference": token.replace(mine.reference, mine.number),
    "a reference alone": mine.reference,
    "another order's signature": token.replace(mine.reference, other.reference),
    "a changed signature": token.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
    "a part of the signature": token.slice(0, -1),
    "another case": token.toLowerCase(),
    "another secret": orderLinkToken(["0123456789abcdefghijklmnopqrstuv"], { ...mine, linkVersion: 0 }),
    "an account's order": orderLinkToken(secrets, { ...body.data, linkVersion: 0 }),
    "no order": orderLinkToken(secrets, { reference: "0000-0000-0000", linkVersion: 0 }),
  };
  for (const [name, wrong] of Object.entries(refused)) {
    const answer = await openLink(wrong);
    expect([name, answer.status, answer.body]).toEqual([name, 404, aRefusal("not_found")]);
    expect([name, (await openPage(wrong)).status]).toEqual([name, 404]);
  }
  expect((await openLink(token)).status).toBe(200);
  await db.update(orders).set({ createdAt: 1 }).where(eq(orders.id, mine.id));
  expect((await openLink(token)).status).toBe(404);
});

it("opens links made before the secret was rotated", async () => {
  const order = await anOrder();
  const LINK_SECRET = `fedcba9876543210fedcba9876543210xyzw,${env.LINK_SECRET}`;
  const body = { token: tokenIn(order.email) };
  expect((await callWith({ LINK_SECRET }, "POST /orders/link", { body })).status).toBe(200);
});

it("shows the variants of the order, and which units were refunded", async () => {
  const shirt = await aVariant(await aParent({ name: "Shirt" }));
  const customer = { email: `guest-${++people}@example.test`, name: "Greta Guest" };
  const ordered = orderOf(shirt, 2, { payment_method: "paypal", customer, shipping_address: ADDRESS });
  const { body } = await callAndSend("POST /orders", { as: key, body: ordered });
  const as = await asAdministrator();
  const path = `/admin/orders/${body.data.id}`;
  await call(`PUT ${path}`, { as, body: { payment_status: "paid" } });
  const refund = { items: [{ id: body.data.items[0].id, quantity: 1 }] };
  expect((await call(`POST ${path}/refunds`, { as, body: refund })).status).toBe(200);
  const token = tokenIn(received(customer.email)[0] ?? { text: "" });
  expect((await openLink(token)).body.data.items).toMatchObject([
    { option_values: shirt.optionValues, quantity: 2, refunded_quantity: 1 },
  ]);
  const { html } = await openPage(token);
  for (const words of ["Shirt (S / Blue)", "1 of 2 refunded"]) expect(html).toContain(words);
});

/** The invoice of a guest's paid order, and a form that asks for it. */
async function anInvoice(more: object = {}) {
  const as = await asAdministrator();
  await call("PUT /admin/shop", { as, body: { address: ADDRESS } });
  const order = await anOrder(more);
  await call(`PUT /admin/orders/${order.id}`, { as, body: { payment_status: "paid" } });
  const invoice = await call(`POST /admin/orders/${order.id}/invoices`, { as, body: {} });
  const { id, number } = invoice.body.data;
  const token = tokenIn(order.email);
  const post = (known: string, other: object = {}) =>
    aVisitor().post("/account/order", { token, id: String(id), known, ...other });
  return { id, number, token, post };
}

it("leads from e-mails to an order's invoice and credit note, and names them to storefronts", async () => {
  const as = await asAdministrator();
  await call("PUT /admin/shop", { as, body: { address: ADDRESS, invoice_moment: "payment" } });
  const order = await anOrder();
  await callAndSend(`PUT /admin/orders/${order.id}`, { as, body: { payment_status: "paid" } });
  const refund = { as, body: { amount: 10 }, headers: onPurpose() };
  await callAndSend(`POST /admin/orders/${order.id}/refunds`, refund);
  const { invoices } = (await openLink(tokenIn(order.email))).body.data;
  expect(invoices).toEqual([
    { id: expect.any(Number), number: expect.any(String), type: "invoice" },
    { id: invoices[0].id + 1, number: expect.any(String), type: "credit_note" },
  ]);
  const page = `:\nhttps://shop.test/account/order?token=${tokenIn(order.email)}`;
  expect(received(order.customer.email).map(({ text }) => text)).toEqual([
    expect.stringContaining(`Invoice ${invoices[0].number}${page}`),
    expect.stringContaining(`Credit note ${invoices[1].number}${page}`),
  ]);
  const user = await aUser({ wallet: 100_000 });
  const links = { ...bindings, ORDER_URL: "https://lamps.example/orders/{reference}" };
  const body = orderOf(await aProduct());
  const placed = await callWith(links, "POST /orders", { as: user.token, body, headers: onPurpose() });
  const [confirmation] = received(user.email);
  expect(confirmation?.text).toMatch(/\nInvoice \d{4}-\d{5}:\nhttps:\/\/lamps.example\/orders\//);
  expect(confirmation?.text).toContain(placed.body.data.reference);
  await call("PUT /admin/shop", { as, body: { invoice_moment: "manual" } });
});

it("gives a guest the invoice for the postal code of its address, and nothing to others who have the link", async () => {
  const { id, number, token, post } = await anInvoice();
  expect((await openPage(token)).html).toContain(`Invoice ${number} (PDF)`);
  expect((await post("sw1y4jh")).headers.get("Content-Type")).toBe("application/pdf");
  const wrong = await post("10119");
  expect([wrong.status, wrong.html.includes("is not the postal code")]).toEqual([400, true]);
  expect(wrong.html).not.toContain(ADDRESS.address);
  expect((await post("", { id: String(id + 1) })).status).toBe(404);
  expect((await post("SW1Y 4JH", { token: "none" })).status).toBe(404);
});

it("asks for the town where addresses have no postal code", async () => {
  const { token, post } = await anInvoice({
    shipping_address: { ...ADDRESS, city: "Hong Kong", country: "HK", zip: null },
  });
  expect((await openPage(token)).html).toContain("Town");
  for (const wrong of ["", "London"]) expect((await post(wrong)).status).toBe(400);
  expect((await post("Hong Kong")).headers.get("Content-Type")).toBe("application/pdf");
});

it("counts the guesses of an order's postal code from all addresses", async () => {
  const { post } = await anInvoice();
  for (let guess = 0; guess < 20; guess++) expect((await post(String(10_000 + guess))).status).toBe(400);
  expect((await post("SW1Y 4JH")).status).toBe(429);
  const another = await anInvoice();
  expect((await another.post("SW1Y 4JH")).status).toBe(200);
});

it("links to the withdrawal from its order under the words of the law in the visitor's language", async () => {
  const token = tokenIn((await anOrder()).email);
  const as = await asAdministrator();
  await call("PUT /admin/shop", { as, body: { withdrawal_days: 14, language: "fr" } });
  const german = (await openPage(token, { "Accept-Language": "de-AT" })).html;
  expect(german).toMatch(/<a href="\/account\/withdraw\?token=[^"]*" lang="de">\s*Vertrag widerrufen/);
  expect((await openPage(token)).html).toMatch(/lang="fr">\s*Renoncer au contrat ici/);
  await call("PUT /admin/shop", { as, body: { withdrawal_days: 0, language: "en" } });
  expect((await openPage(token)).html).not.toContain("/account/withdraw");
});
