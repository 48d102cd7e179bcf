import { expect, inject } from "vitest";
import { LONG } from "../../support/long.ts";
import { aVisitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin, findProduct, orderOf } from "../shopper.ts";
import { aVisitOf, goingOn, it, shopperAt, tabTo } from "./example.ts";
import { openOwnShop } from "./own-shop.ts";

const LABEL = "Withdraw from contract here";

it(
  "offers withdrawal in the footer and on orders, in two steps, and the Worker's page does too",
  LONG,
  async ({ shop, example, see }) => {
    const admin = await asAdmin(shop);
    const offer = (withdrawal_days: number | null) => admin.PUT("/api/v1/admin/shop", { body: { withdrawal_days } });
    await offer(14);
    const buyer = await aShopper(shop);
    const { data: order } = await buyer.api.POST("/api/v1/user/orders", {
      body: orderOf(await findProduct(buyer.api, "wrist strap")),
    });
    const visitor = aVisitOf(buyer, example);
    await visitor.open(`/orders/${order.id}`);
    await visitor.follow(LABEL);
    await see(visitor, "withdraw");
    visitor.fill("Your name", "Lou Lossy");
    visitor.fill("E-mail address of the order", buyer.email);
    await visitor.press("Continue");
    await see(visitor, "withdraw-confirm");
    await visitor.press("Confirm withdrawal");
    visitor.told(/Your withdrawal was sent/);
    const { data: made } = await buyer.api.GET("/api/v1/user/account/returns", {
      params: { query: { order_id: order.id } },
    });
    expect(made).toMatchObject([{ requested_by: "withdrawal", withdrawal: { name: "Lou Lossy" } }]);

    const stranger = aVisitor(shop.base_url);
    await stranger.open(`/account/withdraw?order=${encodeURIComponent(order.number)}`);
    await see(stranger, "account-withdraw");
    stranger.fill("Your name", "Sam Stranger");
    stranger.fill("E-mail address of the order", "stranger@example.com");
    await stranger.press("Continue");
    await see(stranger, "account-withdraw-confirm");
    await stranger.press("Confirm withdrawal");
    expect(stranger.text()).toContain("Your withdrawal was sent");
    await see(stranger, "account-withdraw-received");
    await offer(null);
  },
);

it("takes a withdrawal by the keyboard alone, without script on a phone", LONG, async ({ shop, example, aPage }) => {
  const buyer = await aShopper(shop);
  const { data: order } = await buyer.api.POST("/api/v1/user/orders", {
    body: orderOf(await findProduct(buyer.api, "wrist strap")),
  });
  const admin = await asAdmin(shop);
  const offer = (withdrawal_days: number | null) => admin.PUT("/api/v1/admin/shop", { body: { withdrawal_days } });
  await offer(14);
  const viewport = { width: 390, height: 800 };
  const page = await aPage({ ...shopperAt(example), viewport, javaScriptEnabled: false });
  const press = async (role: "button" | "link", name: string) => {
    await tabTo(page, page.getByRole(role, { name, exact: true }));
    await page.keyboard.press("Enter");
  };
  await page.goto("/");
  await press("link", LABEL);
  for (const [label, words] of [
    ["Your name", "Lou Lossy"],
    ["E-mail address of the order", buyer.email],
    ["Order number", order.number],
  ] as const) {
    await tabTo(page, page.getByLabel(label));
    await page.keyboard.type(words);
  }
  await page.keyboard.press("Enter");
  await press("button", "Confirm withdrawal");
  await page.getByText("Your withdrawal was sent").waitFor();
  const { data: made } = await buyer.api.GET("/api/v1/user/account/returns", {
    params: { query: { order_id: order.id } },
  });
  expect(made).toMatchObject([{ requested_by: "withdrawal" }]);
  await offer(null);
});

it(
  "cancels an order that has not left, and asks for the return of one that has",
  LONG,
  async ({ shop, example, see }) => {
    const buyer = await aShopper(shop);
    const body = orderOf(await findProduct(buyer.api, "wrist strap"));
    const place = async () => (await buyer.api.POST("/api/v1/user/orders", { body })).data;
    const visitor = aVisitOf(buyer, example);
    const first = await place();
    await visitor.open(`/orders/${first.id}`);
    await visitor.press("Cancel order");
    visitor.told("Your order was cancelled.");
    const second = await place();
    const admin = await asAdmin(shop);
    const params = { path: { id: second.id } };
    await admin.POST("/api/v1/admin/orders/{id}/shipments", { params, body: { carrier: "Post" } });
    await visitor.open(`/orders/${second.id}`);
    await see(visitor, "order-to-return");
    await visitor.press("Request a return");
    visitor.told(/You requested a return/);
  },
);

it(
  "asks for the shop's terms, and offers the terms and the invoice of an order",
  LONG,
  async ({ see, onTestFinished }) => {
    // Its own, because every other test that orders would have to accept the terms.
    const { found: shop, close } = await openOwnShop(inject("state"));
    onTestFinished(() => close());
    const { example } = shop;
    const admin = await asAdmin(shop);
    const write = (slug: "terms" | "imprint", title: string, text: string) =>
      admin.PUT("/api/v1/admin/pages/{slug}/{language}", {
        params: { path: { slug, language: "en" } },
        body: { title, text },
      });
    const { data: terms } = await write("terms", "Terms of sale", "## Delivery\nWithin **three** days.");
    const address = { name: "Lamp & Co", address: "1 Mill Lane", city: "Leeds", zip: "LS1 4DY", country: "GB" };
    await admin.PUT("/api/v1/admin/shop", { body: { terms_required: true, address, invoice_moment: "payment" } });
    const buyer = await aShopper(shop);
    const strap = await findProduct(buyer.api, "wrist strap");
    await buyer.api.POST("/api/v1/user/cart", { body: { product_id: strap.id, quantity: 1 } });
    const visitor = aVisitOf(buyer, example);
    await visitor.open("/checkout");
    await see(visitor, "checkout-terms");
    expect(visitor.text()).toContain("I have read and accept");
    const { data: order } = await buyer.api.POST("/api/v1/user/orders", {
      body: { ...orderOf(strap), accepted_terms: terms.version },
    });
    await write("terms", "Terms of sale", "## Delivery\nWithin a week.");
    await visitor.open(`/orders/${order.id}`);
    await see(visitor, "order-with-invoice");
    expect(visitor.text()).toMatch(/Invoice \S+ \(PDF\)/);
    await visitor.follow("The terms of this order");
    expect(visitor.text()).toContain("Within three days.");
    await see(visitor, "terms");
    const [invoice] = (await buyer.api.GET("/api/v1/user/account/invoices")).data;
    const file = await fetch(new URL(`/orders/${order.id}/invoices/${invoice?.id}`, example), {
      headers: { Cookie: `shop-token=${buyer.token}` },
    });
    expect([file.status, file.headers.get("Content-Type")]).toEqual([200, "application/pdf"]);
    expect((await file.text()).slice(0, 5)).toBe("%PDF-");
    const stranger = aVisitor(shop.base_url);
    await stranger.open("/account/pages/terms");
    await see(stranger, "account-terms");
  },
);

it("keeps the links to the withdrawal off a printed order", async ({ shop, example, aPage }) => {
  const admin = await asAdmin(shop);
  await admin.PUT("/api/v1/admin/shop", { body: { withdrawal_days: 14 } });
  const buyer = await aShopper(shop);
  const { data: order } = await buyer.api.POST("/api/v1/user/orders", {
    body: orderOf(await findProduct(buyer.api, "wrist strap")),
  });
  const page = await aPage(goingOn(aVisitOf(buyer, example), example));
  await page.goto(`/orders/${order.id}`);
  const links = page.locator("a[href^='/withdraw']");
  expect(await links.filter({ visible: true }).count()).toBe(2);
  await page.emulateMedia({ media: "print" });
  expect(await links.filter({ visible: true }).count()).toBe(0);
  await page.getByText(order.number).first().waitFor();
  await admin.PUT("/api/v1/admin/shop", { body: { withdrawal_days: null } });
});
