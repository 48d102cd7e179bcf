import { expect } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { aPng } from "../../support/image-bytes.ts";
import { LONG } from "../../support/long.ts";
import { fromAnAddress } from "../an-address.ts";
import { look } from "../browser/look.ts";
import { signIn as signInAsStaff } from "../browser/sign-in.ts";
import { told as toldStaff } from "../browser/told.ts";
import { aVisitor, type Visitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin, findProduct, orderOf } from "../shopper.ts";
import {
  addToCart,
  aVisitOf,
  BERLIN,
  fillInAddress,
  goingOn,
  it,
  keepForm,
  pay,
  paying,
  shopperAt,
  signIn,
  told,
} from "./example.ts";
import { tellAsStripe } from "./own-shop.ts";

/** A completed checkout form, except for the payment method. */
async function toPayment(visitor: Visitor, email: string, name: string): Promise<void> {
  await addToCart(visitor, "wrist strap", "Rope Wrist Strap");
  await visitor.follow("Check out");
  visitor.fill("E-mail", email);
  await fillInAddress(visitor, name, BERLIN);
}

it("takes a guest to the payment page and back to a paid order", LONG, async ({ ownShop, aPage }) => {
  const visitor = aVisitor(ownShop.example);
  const email = `${crypto.randomUUID()}@guest.example`;
  await toPayment(visitor, email, "Greta Guest");
  visitor.check(/^Card/);
  await keepForm(visitor);
  // The redirect is followed without a click.
  const page = await aPage(goingOn(visitor, ownShop.example));
  await page.route("https://checkout.stripe.test/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: "<!doctype html><html lang=en><title>Pay</title><h1>Pay here</h1>",
    }),
  );
  await page.goto("/checkout");
  await pay(page, "$26.90").click();
  await page.getByRole("heading", { name: "Pay here" }).waitFor();

  // A buyer who leaves the payment page finds the unpaid order, and a way back to the payment.
  await page.goto(`${ownShop.example}/orders`);
  await page.getByText("Waiting for payment").waitFor();
  await page.locator(".line a").click();
  await look(page, "example-order-to-pay");
  await page.getByRole("link", { name: "Pay $26.90" }).click();
  await page.getByRole("heading", { name: "Pay here" }).waitFor();

  const { data: found } = await (await asAdmin(ownShop)).GET("/api/v1/admin/orders", {
    params: { query: { search: email } },
  });
  const reference = found[0]?.reference ?? "";
  await page.goto(`${ownShop.example}/orders/return/${reference}`);
  await page.getByText("Your payment is being confirmed.").waitFor();
  await page.getByRole("link", { name: "Pay $26.90" }).waitFor({ state: "detached" });
  await payAtStripe(ownShop.base_url, reference);
  // The page asks again by itself until the payment is confirmed.
  await page.getByText("Paid on").waitFor();
  await page.goto(`${ownShop.example}/orders/return/${reference}`);
  await told(page, "Your payment has arrived.");
  await look(page, "example-order-paid-by-card");
});

it("offers a wallet that covers the order first, and a card second", async ({ ownShop, see }) => {
  const visitor = aVisitor(ownShop.example);
  await addToCart(visitor, "tripod", "Ash Travel Tripod");
  await visitor.open("/sign-in?next=/checkout");
  await signIn(visitor, ownShop.customer);
  expect(visitor.isChecked("Wallet")).toBe(true);
  expect(visitor.isChecked(/^Card/)).toBe(false);
  await see(visitor, "checkout-wallet-or-card");
});

/** Runs the schedule one minute ahead. */
const aMinuteLater = (shop: string) => fetch(`${shop}/cdn-cgi/local/scheduled?time=${Date.now() + 61_000}`);

it(
  "accepts test payments that succeed, fail first or are confirmed later, and the merchant refunds one",
  LONG,
  async ({ ownShop, aPage, see }) => {
    const { base_url, example, admin } = ownShop;
    const visitor = aVisitor(example);
    const choose = async () => {
      await toPayment(visitor, "tessa@guest.example", "Tessa Tester");
      visitor.check("Test card");
      expect(visitor.text()).toContain("no money moves");
    };
    /** Places an order by test card, up to the payment page. */
    const order = async () => {
      await choose();
      await visitor.press(paying("$26.90"));
      await visitor.follow("Continue to the payment");
      expect(visitor.texts("h1")).toEqual(["Test payment"]);
    };

    await choose();
    await keepForm(visitor);
    // The redirect is followed without a click, and the Content-Security-Policy must allow the form to lead back to the
    // shop.
    const page = await aPage(goingOn(visitor, example));
    await page.goto("/checkout");
    await pay(page, "$26.90").click();
    await page.getByRole("heading", { name: "Test payment" }).waitFor();
    await look(page, "test-payment");
    await page.getByRole("button", { name: "Pay $26.90", exact: true }).click();
    await told(page, "Your payment has arrived.");
    await page.getByText("No money moved").waitFor();
    const { pathname } = new URL(page.url());

    visitor.cookies.clear();
    await order();
    await visitor.press("Decline the card");
    visitor.alerted("The card was declined");
    await see(visitor, "test-payment-declined");
    await visitor.press("Pay $26.90");
    await visitor.follow(/^Back to/);
    visitor.told("Your payment has arrived.");

    await order();
    await visitor.press("Pay, confirmed a minute later");
    await visitor.follow(/^Back to/);
    expect(visitor.text()).toContain("Your payment is being confirmed.");
    expect(visitor.text()).toContain("Waiting for payment");
    expect(visitor.text()).not.toContain("Pay $");
    expect((await aMinuteLater(base_url)).ok).toBe(true);
    await visitor.open(visitor.path());
    expect(visitor.text()).toContain("No money moved");

    const panel = await aPage({ baseURL: base_url, extraHTTPHeaders: fromAnAddress() });
    await signInAsStaff(panel, admin);
    await panel.waitForURL("/admin");
    await panel.goto(`/admin${pathname}`);
    await panel.getByText("Test card", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Refund", exact: true }).click();
    await panel.getByLabel("Or enter an amount").fill("26.9");
    await panel.getByText("$26.90 of $26.90 goes back").waitFor();
    await panel.getByRole("button", { name: /^Refund (now|\$)/ }).click();
    await toldStaff(panel, "The refund was made");
    await page.goto(pathname);
    await page.getByText("Refunded: $26.90").waitFor();
  },
);

it(
  "caches the catalogue until a webhook reports a change, and marks an order as shipped",
  LONG,
  async ({ ownShop, see }) => {
    const { example, webhook } = ownShop;
    const [admin, shopper] = [await asAdmin(ownShop), await aShopper(ownShop)];
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

    const shipping_address = { name: "Lou", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
    const { data: order } = await shopper.api.POST("/api/v1/user/orders", {
      body: { ...orderOf(product), shipping_address },
    });
    await admin.PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id: order.id } },
      body: { status: "shipped", shipment: { carrier: "Royal Mail" } },
    });
    const visitor = aVisitOf(shopper, example);
    const marked = async () => {
      await visitor.open("/orders");
      return visitor.text().includes("On its way");
    };
    await expect.poll(marked, { interval: 500 }).toBe(true);
    await see(visitor, "order-on-its-way");
    await visitor.follow(order.number);
    expect(visitor.path()).toBe(`/orders/${order.id}`);
    await expect.poll(marked, { interval: 500 }).toBe(false);
  },
);

const read = async (url: string) => (await fetch(url)).text();

const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) => address);

it("lists every product and category that shoppers see in the sitemap", async ({ ownShop }) => {
  const { example } = ownShop;
  const api = await asAdmin(ownShop);
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
  const shopper = createStorefront({ baseUrl: ownShop.base_url, credential: ownShop.api_keys.storefront });
  for await (const { id } of shopper.each("/api/v1/user/products")) seen.push(`${example}/products/${id}`);
  for await (const { slug, product_count } of shopper.each("/api/v1/user/categories"))
    if (product_count > 0) seen.push(`${example}/?category=${slug}`);
  await expect.poll(listed).toEqual(seen.toSorted());

  // The range contains ids of variants only, so its file lists the next product.
  const { data: shown } = await shopper.GET("/api/v1/user/products/{id}", { params: { path: { id: last.id } } });
  const entry = `<url><loc>${example}/products/${last.id}</loc><lastmod>${shown.updated_at}</lastmod></url>`;
  const file = await read(`${example}/sitemap-products.xml?after=${wide.id}`);
  expect(addressesIn(file)).toEqual([`${example}/products/${last.id}`]);
  expect(file).toContain(entry);
  expect((await fetch(`${example}/sitemap-products.xml?after=${last.id}`)).status).toBe(404);
});

it("describes no purchases by agents in llms.txt if the shop does not allow them", async ({ ownShop }) => {
  await (await asAdmin(ownShop)).PUT("/api/v1/admin/shop", { body: { agent_access: "off" } });
  const text = await read(`${ownShop.example}/llms.txt`);
  expect(text).toContain("# Halftone & Hum");
  expect(text).not.toMatch(/ucp|mcp/i);
});

// Pages of a shared shop would try to load the image from a host that does not exist.
it("shows an image of another host, and an uploaded one in the width that the page needs", async ({
  ownShop,
  aPage,
}) => {
  const api = await asAdmin(ownShop);
  const page = await aPage({ ...shopperAt(ownShop.example) });
  /** Opens the page of a product with an image, and returns the image source in use. */
  async function shownOf(url: string): Promise<unknown> {
    const name = `Framed Print ${crypto.randomUUID()}`;
    const images = [{ url, alt: "A framed print" }];
    const body = { name, sku: name, type: "service", price: 10, status: "active", images } as const;
    const { data: product } = await api.POST("/api/v1/admin/products", { body });
    await page.goto(`/products/${product.id}`);
    const shown = await page.evaluate(`(async () => {
      const [image] = document.images;
      await image.decode();
      return image.naturalWidth > 0 && image.currentSrc;
    })()`);
    await api.DELETE("/api/v1/admin/products/{id}", { params: { path: { id: product.id } } });
    return shown;
  }

  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 6"><rect width="8" height="6" fill="teal"/></svg>';
  await page.route("https://images.example/**", (route) => route.fulfill({ contentType: "image/svg+xml", body: svg }));
  const elsewhere = "https://images.example/print.svg";
  expect(await shownOf(elsewhere)).toBe(elsewhere);

  const file = new File([aPng({ width: 900, height: 600 })], "print.png", { type: "image/png" });
  const stored = await api.POST("/api/v1/admin/images", { body: { file } });
  expect(await shownOf(stored.data.url)).toBe(`${stored.data.url}?width=640`);
});

/** Notifies the shop, as Stripe does, that the buyer has paid. */
async function payAtStripe(baseUrl: string, order_reference: string): Promise<void> {
  const session = {
    object: "checkout.session",
    payment_status: "paid",
    payment_intent: `pi_${order_reference}`,
    amount_total: 2690,
    currency: "usd",
    client_reference_id: order_reference,
    metadata: { order_reference },
  };
  const event = { id: `evt_${order_reference}`, type: "checkout.session.completed", data: { object: session } };
  await tellAsStripe(baseUrl, JSON.stringify(event));
}
