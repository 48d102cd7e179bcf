import { describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { browsers } from "../browser/browsers.ts";
import { look } from "../browser/look.ts";
import { sentToken } from "../emails.ts";
import { aVisitor, type Visitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin, findProduct } from "../shopper.ts";
import {
  addToCart,
  aVisitOf,
  cartCountOf,
  fillAddress,
  fillInAddress,
  goingOn,
  it,
  orderOnce,
  pay,
  paying,
  shopperAt,
  signIn,
  tabTo,
  told,
} from "./example.ts";

const anEmail = () => `${crypto.randomUUID()}@guest.example`;

async function aStrapInTheCart(visitor: Visitor): Promise<Visitor> {
  await addToCart(visitor, "wrist strap", "Rope Wrist Strap");
  return visitor;
}

/** Orders a digital product and returns the order's URL. */
async function orderAsGuest(visitor: Visitor): Promise<string> {
  await addToCart(visitor, "consultation", "Recording Consultation, One Hour");
  await visitor.follow("Check out");
  visitor.fill("E-mail", anEmail());
  visitor.fill("Full name", "Greta Guest");
  visitor.check("Bank transfer");
  await visitor.press(paying());
  visitor.told("Your order is placed.");
  return visitor.path();
}

describe("a stranger", () => {
  it("orders as a guest with an e-mail, once however often the button is pressed, and returns to the order", async ({
    shop,
    example,
    see,
  }) => {
    const visitor = await aStrapInTheCart(aVisitor(example));
    expect(cartCountOf(visitor)).toBe("Cart 1");
    await visitor.follow("Check out");
    const email = anEmail();
    visitor.fill("E-mail", email);
    visitor.check("Bank transfer");
    await fillInAddress(visitor, "Greta Guest");
    await see(visitor, "guest-checkout");
    const path = await orderOnce(visitor);
    expect(visitor.text()).toContain("IBAN GB33");
    expect(cartCountOf(visitor)).toBe("Cart");
    await see(visitor, "guest-order");
    const { data: orders } = await (await asAdmin(shop)).GET("/api/v1/admin/orders", {
      params: { query: { search: email } },
    });
    expect(orders).toMatchObject([{ customer: { id: null, email, name: "Greta Guest" }, payment_status: "unpaid" }]);

    await visitor.open("/");
    await visitor.follow("Orders", ".menu");
    await see(visitor, "guest-orders");
    await visitor.follow(orders[0]?.number ?? "");
    expect(visitor.path()).toBe(path);
    await visitor.open(`/orders/return/${orders[0]?.reference}`);
    expect(visitor.path()).toBe(path);
  });

  it("orders a download without an account, and downloads by the link in the e-mail", async ({
    shop,
    example,
    see,
  }) => {
    const visitor = aVisitor(example);
    const { id } = await findProduct(await asAdmin(shop), "seigaiha");
    await visitor.open(`/products/${id}`);
    expect(visitor.text()).toContain("We e-mail you the link to your downloads");
    await see(visitor, "digital-product");
    await visitor.press("Add to cart");
    await visitor.follow("Check out");
    const email = anEmail();
    visitor.fill("E-mail", email);
    visitor.fill("Full name", "Greta Guest");
    expect(visitor.hasField("Postcode")).toBe(false);
    visitor.check("Bank transfer");
    await see(visitor, "digital-checkout");
    await visitor.press(paying());
    visitor.told("Your order is placed.");
    expect(visitor.text()).toContain("IBAN GB33");

    const orderId = Number(/\d+$/.exec(visitor.path()));
    await (await asAdmin(shop)).PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id: orderId } },
      body: { payment_status: "paid" },
    });
    const token = await sentToken(shop.base_url, email, "order");
    const [, reference = ""] = token.split("_");
    const phone = aVisitor(example);
    await phone.open(`/orders/reference/${reference}?token=${token}`);
    await see(phone, "digital-linked-order");
    const { headers } = await phone.press("Download Seigaiha Wave Pattern");
    expect(headers.get("Content-Disposition")).toMatch(/^attachment; filename="?seigaiha/);
  });

  it("sees the license key of a paid order, also by the link in the e-mail", async ({ shop, example, see }) => {
    const admin = await asAdmin(shop);
    const terms = {
      source: "uploaded",
      prefix: null,
      activation_limit: 2,
      valid_days: null,
      update_days: 365,
    } as const;
    const sku = `GAME-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
    const { data: game } = await admin.POST("/api/v1/admin/products", {
      body: {
        name: "Harbour Nights",
        sku,
        type: "digital",
        price: 20,
        status: "active",
        stock_quantity: 0,
        license: terms,
      },
    });
    const { id } = game;
    const key = `${sku}-A1B2C-3D4E5-F6G7H`;
    const list = { license_keys: [key], reason: "List of the publisher" };
    await admin.POST("/api/v1/admin/products/{id}/stock", { params: { path: { id } }, body: list });
    const visitor = aVisitor(example);
    await visitor.open(`/products/${id}`);
    await visitor.press("Add to cart");
    await visitor.follow("Check out");
    const email = anEmail();
    visitor.fill("E-mail", email);
    visitor.fill("Full name", "Greta Guest");
    visitor.check("Bank transfer");
    await visitor.press(paying());
    visitor.told("Your order is placed.");
    const path = visitor.path();
    expect(visitor.text()).not.toContain(key);
    const paid = { params: { path: { id: Number(/\d+$/.exec(path)) } }, body: { payment_status: "paid" } } as const;
    await admin.PUT("/api/v1/admin/orders/{id}", paid);
    await visitor.open(path);
    expect(visitor.text()).toContain(key);
    await see(visitor, "license-key");
    const token = await sentToken(shop.base_url, email, "order");
    const [, reference = ""] = token.split("_");
    const phone = aVisitor(example);
    await phone.open(`/orders/reference/${reference}?token=${token}`);
    expect(phone.text()).toContain(key);
    expect(phone.text()).toContain("Active on 0 of 2 devices");
  });
});

// Only browsers restore fields and have a "back" button.
describe.each(browsers)("a stranger on %s", (where, options) => {
  it("finds typed values after an error, after going back and for the next order, and the order after ordering", async ({
    example,
    aPage,
  }) => {
    const visitor = await aStrapInTheCart(aVisitor(example));
    const [link] = visitor.all(".line a");
    const product_id = /\d+$/.exec(link?.attributes.href ?? "")?.[0] ?? "";
    const page = await aPage({ ...goingOn(visitor, example), ...options });
    await page.goto("/cart");
    await page.getByRole("link", { name: "Check out" }).click();
    const email = anEmail();
    const typed = async () =>
      Promise.all(["E-mail", "Street address", "Postcode"].map((label) => page.getByLabel(label).inputValue()));
    await page.getByLabel("E-mail").fill(email);
    await fillAddress(page, "");
    await page.getByRole("radio", { name: "Bank transfer" }).check();
    await pay(page).click();
    await page.getByRole("alert").getByRole("link", { name: "Enter the full name" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("problems");
    // Both widths are checked at once and pages have no script, so one browser is enough.
    if (where === "a desktop") await look(page, "example-checkout-error");
    expect(await typed()).toEqual([email, "1 Quay Street", "BS1 1AA"]);
    await page.goBack();
    expect(await typed()).toEqual([email, "1 Quay Street", "BS1 1AA"]);
    await page.goForward();
    expect(await typed()).toEqual([email, "1 Quay Street", "BS1 1AA"]);
    await page.getByLabel("Full name").fill("Greta Guest");
    await pay(page).click();
    await told(page, "Your order is placed.");
    await page.goBack();
    await told(page, "You have already placed this order.");
    await page.goBack();
    await page.request.post("/cart", { form: { product_id, quantity: "1" }, headers: { Origin: example } });
    await page.goto("/checkout");
    expect(await typed()).toEqual([email, "1 Quay Street", "BS1 1AA"]);
  });
});

it("pays from a wallet that covers the order", async ({ shop, example }) => {
  const shopper = await aShopper(shop);
  const visitor = await aStrapInTheCart(aVisitOf(shopper, example));
  await visitor.follow("Check out");
  expect(visitor.isChecked("Wallet")).toBe(true);
  await fillInAddress(visitor, "Lou Lossy");
  await visitor.press(paying("$22.00"));
  visitor.told("Your order is placed.");
  expect(visitor.text()).toContain("from your wallet");
  const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
  expect(profile.wallet_balance).toBe(478);
});

describe.each([
  ["with script", true],
  ["without script", false],
])("a keyboard %s", (_, javaScriptEnabled) => {
  it("leads from the search to a paid order", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop);
    // Only the cart and the checkout contain script.
    const visitor = aVisitOf(shopper, example);
    if (!javaScriptEnabled) await aStrapInTheCart(visitor);
    const page = await aPage({
      ...(javaScriptEnabled ? shopperAt(example) : goingOn(visitor, example)),
      javaScriptEnabled,
    });
    const { keyboard } = page;
    const press = async (role: "button" | "link", name: string, key = "Enter") => {
      await tabTo(page, page.getByRole("main").getByRole(role, { name, exact: true }).first());
      await keyboard.press(key);
    };
    const type = async (label: string, words: string) => {
      await tabTo(page, page.getByLabel(label, { exact: true }).first());
      await keyboard.type(words);
    };
    await page.goto(javaScriptEnabled ? "/" : "/cart");
    if (javaScriptEnabled) {
      await type("Search", "wrist strap");
      await keyboard.press("Enter");
      await press("link", "Rope Wrist Strap");
      await press("button", "Add to cart", "Space");
    }
    await press("link", "Check out");
    if (javaScriptEnabled) {
      await press("link", "Sign in");
      await type("E-mail", shopper.email);
      await type("Password", shopper.password);
      await keyboard.press("Enter");
      await told(page, "Welcome, Lou Lossy.");
    }
    await type("Country", "United K");
    if (!javaScriptEnabled) await press("button", "Continue");
    await type("Street address", "1 Quay Street");
    await type("Town or city", "Bristol");
    await type("Postcode", "BS1 1AA");
    await press("button", "Pay $22.00", "Space");
    await told(page, "Your order is placed.");
    await page.getByText("from your wallet").waitFor();
  });
});

describe("the order of a guest", () => {
  it("is hidden from other browsers, whatever cookie they forge", async ({ example }) => {
    const visitor = aVisitor(example);
    const path = await orderAsGuest(visitor);
    const id = Number(/\d+$/.exec(path));

    const orders = JSON.stringify([{ id, reference: "0000-0000-0000" }]);
    const unsigned = encodeURIComponent(orders);
    const signed = visitor.cookies.get("shop-orders") ?? "";
    const [, signature = ""] = decodeURIComponent(signed).split(/\.(?=[^.]*$)/);
    const stolen = encodeURIComponent(`${orders}.${signature}`);
    for (const cookie of ["", `shop-orders=${unsigned}`, `shop-orders=${stolen}`, "shop-orders=x.y"]) {
      for (const hidden of [path, `${path}/pay`, "/orders"]) {
        const response = await fetch(`${example}${hidden}`, { headers: { Cookie: cookie }, redirect: "manual" });
        expect([cookie, hidden, response.status]).toEqual([cookie, hidden, 303]);
        expect(response.headers.get("Location")).toMatch(/^\/sign-in\?/);
      }
    }
    const mine = await fetch(`${example}${path}`, { headers: { Cookie: `shop-orders=${signed}` } });
    expect(mine.status).toBe(200);
  });

  it("opens on another device by the link in its e-mail, without the buyer's name and address", async ({
    shop,
    example,
    see,
  }) => {
    const visitor = await aStrapInTheCart(aVisitor(example));
    await visitor.follow("Check out");
    const email = anEmail();
    visitor.fill("E-mail", email);
    visitor.check("Bank transfer");
    await fillInAddress(visitor, "Greta Guest");
    await visitor.press(paying());
    expect(visitor.text()).toContain(email);
    const [number = ""] = visitor.texts("h1 .whole");
    const token = await sentToken(shop.base_url, email, "order");
    const [, reference = ""] = token.split("_");

    const phone = aVisitor(example);
    await phone.open(`/orders/reference/${reference}?token=${token}`);
    expect(phone.texts("h1").join()).toContain(number);
    expect(phone.path()).toBe(`/orders/reference/${reference}`);
    expect(phone.text()).toContain("IBAN GB33");
    expect(phone.answer().bytes.toString()).not.toMatch(/Greta|Quay|BS1/);
    for (const query of ["?token=none", `?token=${token.slice(0, -1)}`]) {
      const wrong = await fetch(`${example}/orders/reference/${reference}${query}`, { redirect: "manual" });
      expect([query, wrong.status]).toEqual([query, 404]);
    }
    const nobody = await fetch(`${example}/orders/reference/${reference}`, { redirect: "manual" });
    expect([nobody.status, nobody.headers.get("Location")]).toEqual([
      303,
      `/sign-in?next=%2Forders%2Freference%2F${reference}`,
    ]);

    await phone.open(`${shop.base_url}/account/order?token=${token}`);
    expect(phone.text()).toContain("waiting for payment");
    await see(phone, "account-order");

    const admin = await asAdmin(shop);
    const address = { name: "Lamp & Co", address: "1 Mill Lane", city: "Leeds", zip: "LS1 4DY", country: "GB" };
    await admin.PUT("/api/v1/admin/shop", { body: { address } });
    const { data: found } = await admin.GET("/api/v1/admin/orders", { params: { query: { search: email } } });
    const params = { path: { id: found[0]?.id ?? 0 } };
    await admin.PUT("/api/v1/admin/orders/{id}", { params, body: { payment_status: "paid" } });
    const { data: invoice } = await admin.POST("/api/v1/admin/orders/{id}/invoices", { params, body: {} });
    await phone.open(`/orders/reference/${reference}`);
    await see(phone, "linked-order-with-invoice");
    await phone.follow(`Invoice ${invoice.number} (PDF)`);
    expect(phone.text()).toContain("Postal code");
  });

  it("is hidden from the next shopper once somebody has signed out", async ({ shop, example, see }) => {
    const visitor = aVisitor(example);
    const path = await orderAsGuest(visitor);
    await visitor.open("/sign-in?next=/orders");
    await signIn(visitor, await aShopper(shop, 0));
    expect(visitor.texts("h2")).toContain("Guest orders from this browser");
    await see(visitor, "orders-with-guest");
    await visitor.press("Sign out");
    visitor.told("You are signed out.");
    await visitor.open(path);
    expect(visitor.path()).toMatch(/^\/sign-in\?next=/);
  });
});
