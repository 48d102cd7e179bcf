import { expect, it } from "vitest";
import { storefrontPermissions } from "../../src/platform/auth/roles.ts";
import { script } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { anAdministrator } from "../support/panel.ts";
import { aKey, aProduct, aUser, orderOf } from "../support/shop.ts";
import { asKey, aWebhook, deliver } from "../webhooks/support.ts";

const anAdmin = shared(() => anAdministrator());

const ADDRESS = { name: "Lamp Shop", address: "1 Quay", city: "Bristol", zip: "BS1 4DB" };

/** The setup steps of a new shop. Completed steps have a check mark. */
const stepsIn = (html: string) =>
  [...html.matchAll(/<li( class="done")?>.*?<(?:a href="[^"]*"|strong)>([^<]+)</g)].map(([, done, title = ""]) =>
    done ? `✓ ${title}` : title,
  );

it("guides a new shop through its setup steps, and checks off completed ones", async () => {
  const { get, token } = await anAdmin();
  const { html } = await get("/admin");
  expect(stepsIn(html)).toEqual([
    "Enter the shop&#39;s name and address",
    "Set up shipping and taxes",
    "Decide how customers pay",
    "Add the first product",
    "Create an API key",
    "Place a test order",
    "Put the shop online",
  ]);
  const { html: keyForm } = await get("/admin/api-keys/new?for=storefront");
  const ticked = [...keyForm.matchAll(/value="([a-z]+:[a-z]+)"[^>]* checked/g)].map(([, permission]) => permission);
  expect(ticked).toEqual(storefrontPermissions);
  expect(html).toContain('href="/admin/api-keys/new?for=storefront"');
  expect(html).not.toContain('<svg class="chart');
  expect(html).not.toContain("Net sales");
  expect(html).toContain("0 of 7 done");
  expect((await get("/admin/sales")).html).toContain("No sales yet");

  await call("PUT /admin/shop", { as: token, body: { address: ADDRESS } });
  const payments = { bank_transfer: { instructions: "To IBAN 1" } };
  await call("PUT /admin/payment-settings", { as: token, body: payments });
  const rate = { name: "VAT", country: "DE", rate: 19 };
  await call("POST /admin/tax-rates", { as: token, body: rate });
  await aKey();
  const product = await aProduct({ stock: 1000 });
  expect(stepsIn((await get("/admin")).html).filter((step) => !step.startsWith("✓"))).toEqual([
    "Place a test order",
    "Put the shop online",
  ]);

  const buyer = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: buyer.token, body: orderOf(product) });
  const living = (await get("/admin")).html;
  expect(stepsIn(living).filter((step) => !step.startsWith("✓"))).toEqual(["Put the shop online"]);
  expect(living).toContain("Net sales");
  const { html: sales } = await get("/admin/sales?from=2026-01-01&to=2026-01-02");
  expect(sales).not.toContain("No sales yet");
  for (const name of ["Today", "Yesterday", "This month", "Last month"]) expect(sales).toContain(`>${name}</a>`);
  const { html: yearly } = await get("/admin/sales?from=2026-01-01&to=2026-01-02&compare_to=previous_year");
  expect(yearly).toContain("compared with 1 Jan 2025 to 2 Jan 2025");
});

it("shows no figures for reversed sales dates, and keeps the dates", async () => {
  const { get } = await anAdmin();
  const { status, html } = await get("/admin/sales?from=2026-03-02&to=2026-03-01");
  expect(status).toBe(400);
  expect(html).toMatch(/must not be before the first day/i);
  for (const day of ["2026-03-02", "2026-03-01"]) expect(html).toContain(`value="${day}"`);
  expect(html).toContain("No figures for these dates");
  expect(html).not.toMatch(/<table|Net sales/);
});

it("shows its steps only to staff who may take them", async () => {
  const { get } = await anAdministrator({ role: "support" });
  expect(stepsIn((await get("/admin")).html)).toEqual([]);
});

it("lists on the home page only what needs attention", async () => {
  const product = await aProduct({ stock: 3 });
  await aProduct({ stock: 6 });
  const buyer = await aUser({ wallet: 10_000 });
  await call("POST /orders", { as: buyer.token, body: orderOf(product) });
  for (const payment_method of ["paypal", "paypal"]) {
    await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct(), 1, { payment_method }) });
  }
  const { get } = await anAdmin();
  const tiles = async () =>
    [...(await get("/admin")).html.matchAll(/<strong>(\d+)<\/strong> ([^<]+)/g)].map(([, figure, label]) => [
      figure,
      label,
    ]);
  expect(await tiles()).toEqual([
    ["2", "to ship"],
    ["2", "waiting for payment"],
    ["1", "running low"],
  ]);
  const webhook = await aWebhook();
  await script({ line: `POST /receive/${webhook.name}`, about: "", status: 500, body: "" });
  await call(`PUT /admin/products/${product.id}`, { as: await asKey(), body: { price: 13 } });
  await deliver(webhook);
  expect(await tiles()).toContainEqual(["1", "webhooks failing"]);
});

it("shows the scarcest products and how many are low in all", async () => {
  const { get } = await anAdmin();
  const scarcest = async () =>
    /The (\d+) scarcest of (\d+)/
      .exec((await get("/admin")).html)
      ?.slice(1)
      .map(Number);
  expect(await scarcest()).toBeUndefined();
  for (let stock = 0; stock < 7; stock++) await aProduct({ stock: 0 });
  expect(await scarcest()).toEqual([6, 8]);
});
