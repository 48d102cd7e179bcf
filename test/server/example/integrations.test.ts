import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { expect, inject } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { stripeHandlers } from "../../payments/stand-in/stripe.ts";
import { LONG } from "../../support/long.ts";
import { fromAnAddress } from "../an-address.ts";
import { it as browserIt } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { signIn as signInAsStaff } from "../browser/sign-in.ts";
import { told as toldStaff } from "../browser/told.ts";
import { aCheckout, freePort } from "../checkout.ts";
import { aShopper, asAdmin, findProduct, orderOf } from "../shopper.ts";
import { addToCart, fillAddress, pay, shopperAt, signIn, told } from "./example.ts";
import { openExample } from "./open.ts";

const STRIPE_WEBHOOK_SECRET = "whsec_example";

/** A shop with Stripe switched on, a stand-in for Stripe, and the example in front of it, which a webhook calls. */
const it = browserIt.extend("connectedShop", { scope: "file" }, async ({ browser: _browser }, { onCleanup }) => {
  const port = await freePort();
  const stripe = await aStripe();
  const checkout = await aCheckout(inject("state"));
  const vars = {
    STRIPE_SECRET_KEY: "sk_test_example",
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    CHECKOUT_RETURN_URL: `http://localhost:${port}/orders/return/{reference}`,
  };
  const lines = Object.entries(vars).map(([name, value]) => `${name}='${value}'\n`);
  appendFileSync(join(checkout.folder, ".dev.vars"), lines.join(""));
  const shop = await checkout.start();
  const { data: webhook } = await (await asAdmin(shop)).POST("/api/v1/admin/webhooks", {
    body: { url: `http://localhost:${port}/webhooks`, types: ["product.*", "order.shipped"] },
  });
  const exampleVars = join(checkout.folder, "examples/storefront/.dev.vars");
  writeFileSync(exampleVars, `WEBHOOK_SECRET='${webhook.secret}'\n`);
  const example = await openExample(shop, port);
  onCleanup(async () => {
    example.close();
    await checkout.kill();
    checkout.remove();
    stripe.close();
  });
  return { ...shop, example: example.baseURL, webhook };
});

it("takes a guest to the payment page and back to an order that is paid", LONG, async ({ connectedShop, aPage }) => {
  const page = await aPage({ ...shopperAt(connectedShop.example) });
  await page.route("https://checkout.stripe.test/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: "<!doctype html><html lang=en><title>Pay</title><h1>Pay here</h1>",
    }),
  );
  await addToCart(page, "wrist strap", "Rope Wrist Strap");
  await page.getByRole("link", { name: "Check out" }).click();
  await page.getByRole("radio", { name: /^Card/ }).waitFor();
  const email = `${crypto.randomUUID()}@guest.example`;
  await page.getByLabel("E-mail").fill(email);
  await fillAddress(page, "Greta Guest");
  await look(page, "example-checkout-card");
  await pay(page, "$22.00").click();
  await page.getByRole("heading", { name: "Pay here" }).waitFor();

  // Whoever leaves the payment page finds the order waiting, and the way back to it.
  await page.goto(`${connectedShop.example}/orders`);
  await page.getByText("Waiting for payment").waitFor();
  await page.locator(".line a").click();
  await look(page, "example-order-to-pay");
  await page.getByRole("link", { name: "Pay $22.00" }).click();
  await page.getByRole("heading", { name: "Pay here" }).waitFor();

  const { data: found } = await (await asAdmin(connectedShop)).GET("/api/v1/admin/orders", {
    params: { query: { search: email } },
  });
  const reference = found[0]?.reference ?? "";
  await page.goto(`${connectedShop.example}/orders/return/${reference}`);
  await told(page, "Your payment appears here once it is confirmed.");
  await payAtStripe(connectedShop.base_url, reference);
  await page.goto(`${connectedShop.example}/orders/return/${reference}`);
  await told(page, "Your payment has arrived.");
  await page.getByText("Paid on").waitFor();
  await look(page, "example-order-paid-by-card");
});

it("offers the wallet that covers an order first, and a card beside it", async ({ connectedShop, aPage }) => {
  const page = await aPage({ ...shopperAt(connectedShop.example) });
  await addToCart(page, "tripod", "Ash Travel Tripod");
  await page.goto("/sign-in?next=/checkout");
  await signIn(page, connectedShop.customer);
  await page.getByRole("radio", { name: "Wallet", checked: true }).waitFor();
  await page.getByRole("radio", { name: /^Card/, checked: false }).waitFor();
  await look(page, "example-checkout-wallet-or-card");
});

/** Runs the schedule of a minute from now. */
const aMinuteLater = (shop: string) => fetch(`${shop}/cdn-cgi/local/scheduled?time=${Date.now() + 61_000}`);

it(
  "takes test payments that succeed, fail first or are confirmed later, and the merchant refunds one",
  LONG,
  async ({ connectedShop, aPage }) => {
    const { base_url, example, admin } = connectedShop;
    const page = await aPage({ ...shopperAt(example) });
    /** Orders by the test card, as far as its page. */
    const order = async () => {
      await addToCart(page, "wrist strap", "Rope Wrist Strap");
      await page.getByRole("link", { name: "Check out" }).click();
      await page.getByLabel("E-mail").fill("tessa@guest.example");
      await fillAddress(page, "Tessa Tester");
      await page.getByRole("radio", { name: "Test card" }).check();
      await page.getByText("no money moves").waitFor();
      await pay(page, "$22.00").click();
      await page.getByRole("heading", { name: "Test payment" }).waitFor();
    };
    const choose = (name: string) => page.getByRole("button", { name, exact: true }).click();

    await order();
    await look(page, "test-payment");
    await choose("Pay $22.00");
    await told(page, "Your payment has arrived.");
    await page.getByText("No money moved").waitFor();
    await look(page, "example-order-paid-by-test-card");
    const { pathname } = new URL(page.url());

    await order();
    await choose("Decline the card");
    await page.getByRole("alert").getByText("The card was declined").waitFor();
    await look(page, "test-payment-declined");
    await choose("Pay $22.00");
    await told(page, "Your payment has arrived.");

    await order();
    await choose("Pay, confirmed a minute later");
    await told(page, "Your payment appears here once it is confirmed.");
    await page.getByText("Waiting for payment").waitFor();
    expect((await aMinuteLater(base_url)).ok).toBe(true);
    await page.reload();
    await page.getByText("No money moved").waitFor();

    const panel = await aPage({ baseURL: base_url, extraHTTPHeaders: fromAnAddress() });
    await signInAsStaff(panel, admin);
    await panel.goto(`/admin${pathname}`);
    await panel.getByText("Test card", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Refund", exact: true }).click();
    await panel.getByLabel("Or enter an amount").fill("22");
    await panel.getByText("$22.00 of $22.00 goes back").waitFor();
    await panel.getByRole("button", { name: "Refund now" }).click();
    await toldStaff(panel, "The refund was made");
    await look(panel, "order-paid-by-test-card");
    await page.goto(pathname);
    await page.getByText("Refunded: $22.00").waitFor();
  },
);

it(
  "keeps the catalogue until a webhook says that it changed, and marks an order that is on its way",
  LONG,
  async ({ connectedShop, aPage }) => {
    const { example, webhook } = connectedShop;
    const [admin, shopper] = [await asAdmin(connectedShop), await aShopper(connectedShop)];
    const forged = await fetch(`${example}/webhooks`, {
      method: "POST",
      body: "{}",
      headers: { "webhook-id": "evt_1" },
    });
    expect(forged.status).toBe(400);

    const product = await findProduct(shopper.api, "pocket notebooks");
    const path = { params: { path: { id: product.id } } };
    const rename = (name: string) => admin.PUT("/api/v1/admin/products/{id}", { ...path, body: { name } });
    const enable = (enabled: boolean) =>
      admin.PUT("/api/v1/admin/webhooks/{id}", { params: { path: { id: webhook.id } }, body: { enabled } });
    const shown = async () =>
      /<h1[^>]*>(.*?)<\/h1>/.exec(await (await fetch(`${example}/products/${product.id}`)).text())?.[1];
    expect(await shown()).toBe(product.name);
    await enable(false);
    await rename("Ruled Notebooks");
    await expect(shown()).resolves.toBe(product.name);
    await enable(true);
    await expect.poll(shown, { timeout: 20_000 }).toBe("Ruled Notebooks");

    const { data: order } = await shopper.api.POST("/api/v1/user/orders", { body: orderOf(product) });
    await admin.PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id: order.id } },
      body: { status: "shipped", shipment: { carrier: "Royal Mail" } },
    });
    const page = await aPage(shopperAt(example));
    await page.goto("/sign-in?next=/orders");
    await signIn(page, shopper);
    await told(page, "Welcome, Lou Lossy.");
    const marked = async () => {
      await page.goto("/orders");
      return page.getByText("On its way").count();
    };
    await expect.poll(marked).toBe(1);
    await look(page, "example-order-on-its-way");
    await page.getByRole("link", { name: order.number }).click();
    await page.waitForURL(`/orders/${order.id}`);
    await expect.poll(marked).toBe(0);
  },
);

const read = async (url: string) => (await fetch(url)).text();

const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => address);

it("lists every product and category that shoppers see in the files of the sitemap", async ({ connectedShop }) => {
  const { example } = connectedShop;
  const api = await asAdmin(connectedShop);
  const create = async (more: object) => {
    const body = { sku: crypto.randomUUID(), type: "physical", status: "active", price: 9, ...more } as const;
    return (await api.POST("/api/v1/admin/products", { body: { name: "Yarn & Needle", ...body } })).data;
  };
  const values = [..."ABCDEFGHIJ"];
  const wide = await create({ options: ["Colour", "Weight"].map((name) => ({ name, values })) });
  const params = { path: { id: wide.id } };
  await api.POST("/api/v1/admin/products/{id}/variants", { params, body: { generate: true, price: 9 } });
  const last = await create({});
  await create({ status: "draft" });

  const robots = await read(`${example}/robots.txt`);
  const rules = ["Allow: /", "Disallow: /cart", "Disallow: /checkout", "Disallow: /account"];
  expect(robots.split("\n")).toEqual(expect.arrayContaining(rules));
  const [, index = ""] = /^Sitemap: (.+)$/m.exec(robots) ?? [];
  const listed = async () => {
    const files = await Promise.all(addressesIn(await read(index)).map(read));
    expect(files.map((file) => addressesIn(file).length)).not.toContain(0);
    return [...new Set(files.flatMap(addressesIn))].toSorted();
  };
  const seen = [`${example}/`];
  const shopper = createStorefront({ baseUrl: connectedShop.base_url, credential: connectedShop.api_keys.storefront });
  for await (const { id } of shopper.each("/api/v1/user/products")) seen.push(`${example}/products/${id}`);
  for await (const { slug, product_count } of shopper.each("/api/v1/user/categories"))
    if (product_count > 0) seen.push(`${example}/?category=${slug}`);
  await expect.poll(listed).toEqual(seen.toSorted());

  // The ids of the range are of variants, so its file has the next product.
  const { data: shown } = await shopper.GET("/api/v1/user/products/{id}", { params: { path: { id: last.id } } });
  const entry = `<url><loc>${example}/products/${last.id}</loc><lastmod>${shown.updated_at}</lastmod></url>`;
  const file = await read(`${example}/sitemap-products.xml?after=${wide.id}`);
  expect(addressesIn(file)).toEqual([`${example}/products/${last.id}`]);
  expect(file).toContain(entry);
  expect((await fetch(`${example}/sitemap-products.xml?after=${last.id}`)).status).toBe(404);
});

it("names no way for agents to buy in the llms.txt of a shop that answers none", async ({ connectedShop }) => {
  await (await asAdmin(connectedShop)).PUT("/api/v1/admin/shop", { body: { agent_access: "off" } });
  const text = await read(`${connectedShop.example}/llms.txt`);
  expect(text).toContain("# Halftone & Hum");
  expect(text).not.toMatch(/ucp|mcp/i);
});

async function aStripe(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const sent = { line: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) };
    const { status, body } = stripeHandlers[sent.line]?.(sent, []) ?? { status: 404, body: {} };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  const port = await freePort();
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

/** Tells the shop, as Stripe does, that the buyer has paid. */
async function payAtStripe(baseUrl: string, order_reference: string): Promise<void> {
  const session = {
    object: "checkout.session",
    payment_status: "paid",
    payment_intent: `pi_${order_reference}`,
    amount_total: 2200,
    currency: "usd",
    client_reference_id: order_reference,
    metadata: { order_reference },
  };
  const payload = JSON.stringify({
    id: `evt_${order_reference}`,
    object: "event",
    type: "checkout.session.completed",
    data: { object: session },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: STRIPE_WEBHOOK_SECRET });
  const response = await fetch(`${baseUrl}/api/v1/webhooks/stripe`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
  if (!response.ok) throw new Error(`The shop answered Stripe with ${response.status}`);
}
