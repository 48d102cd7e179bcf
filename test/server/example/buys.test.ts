import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { browsers } from "../browser/browsers.ts";
import { look } from "../browser/look.ts";
import { sentToken } from "../emails.ts";
import { aShopper, asAdmin, findProduct } from "../shopper.ts";
import { addToCart, cartCount, fillAddress, it, pay, sendCheckout, shopperAt, signIn, told } from "./example.ts";

const anEmail = () => `${crypto.randomUUID()}@guest.example`;

/** Orders what is not sent anywhere, and says where the order is. */
async function orderAsGuest(page: Page): Promise<string> {
  await addToCart(page, "consultation", "Recording Consultation, One Hour");
  await page.getByRole("link", { name: "Check out" }).click();
  await page.getByLabel("E-mail").fill(anEmail());
  await page.getByLabel("Full name").fill("Greta Guest");
  await page.getByRole("radio", { name: "Bank transfer" }).check();
  await pay(page).click();
  await told(page, "Your order is placed.");
  return new URL(page.url()).pathname;
}

describe.each(browsers)("a stranger on %s", (where, options) => {
  // It looks at both widths by itself, and pages hold no script: one of the two shows them all.
  const see = async (page: Page, name: string) => where === "a desktop" && look(page, `example-${name}`);

  it(
    "orders as a guest with an e-mail, once however often the button is pressed, and comes back to the order",
    LONG,
    async ({ shop, example, aPage }) => {
      const page = await aPage({ ...shopperAt(example), ...options });
      await addToCart(page, "wrist strap", "Rope Wrist Strap");
      expect(await cartCount(page)).toBe("Cart 1");
      await page.getByRole("link", { name: "Check out" }).click();
      await page.getByRole("radio", { name: "Bank transfer" }).check();
      const email = anEmail();
      await page.getByLabel("E-mail").fill(email);
      await fillAddress(page, "Greta Guest");
      await see(page, "guest-checkout");
      const pressed = await Promise.all([sendCheckout(page), sendCheckout(page)]);
      await pay(page).click();
      await told(page, "Your order is placed.");
      const { pathname } = new URL(page.url());
      expect(new Set([...pressed, pathname]).size).toBe(1);
      await page.getByText("IBAN GB33").waitFor();
      expect(await cartCount(page)).toBe("Cart");
      await see(page, "guest-order");
      const { data: orders } = await (await asAdmin(shop)).GET("/api/v1/admin/orders", {
        params: { query: { search: email } },
      });
      expect(orders).toMatchObject([{ customer: { id: null, email, name: "Greta Guest" }, payment_status: "unpaid" }]);

      await page.goto("/");
      await page.getByRole("link", { name: "Orders" }).click();
      await see(page, "guest-orders");
      await page.getByRole("link", { name: orders[0]?.number ?? "" }).click();
      await page.waitForURL(pathname);
      await page.goto(`/orders/return/${orders[0]?.reference}`);
      await page.waitForURL(pathname);
    },
  );

  it("finds what was typed after an error, after going back and for the next order, and the order after ordering", async ({
    example,
    aPage,
  }) => {
    const page = await aPage({ ...shopperAt(example), ...options });
    await addToCart(page, "wrist strap", "Rope Wrist Strap");
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
    await see(page, "checkout-error");
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
    await addToCart(page, "wrist strap", "Rope Wrist Strap");
    await page.getByRole("link", { name: "Check out" }).click();
    expect(await typed()).toEqual([email, "1 Quay Street", "BS1 1AA"]);
  });

  it("is told before the checkout that files need an account, and keeps the cart while making one", async ({
    shop,
    example,
    aPage,
  }) => {
    const page = await aPage({ ...shopperAt(example), ...options });
    const { id } = await findProduct(await asAdmin(shop), "seigaiha");
    await page.goto(`/products/${id}`);
    await page.getByText("You need an account").waitFor();
    await see(page, "digital-product");
    await page.getByRole("button", { name: "Add to cart" }).click();
    await page.getByText("you need an account").waitFor();
    await see(page, "digital-cart");
    await page.getByRole("link", { name: "Check out" }).click();
    await see(page, "account-needed");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Name").fill("Nora New");
    await page.getByLabel("E-mail").fill(anEmail());
    await page.getByLabel("Password").fill("a password that is long");
    await page.getByRole("button", { name: "Create account" }).click();
    await told(page, "Welcome, Nora New. Open the link that we sent to");
    expect(await cartCount(page)).toBe("Cart 1");
    expect(await page.getByLabel("Postcode").count()).toBe(0);
    await page.getByRole("radio", { name: "Bank transfer" }).check();
    await see(page, "digital-checkout");
    await pay(page).click();
    await told(page, "Your order is placed.");
    await page.getByText("IBAN GB33").waitFor();

    const orderId = Number(/\d+$/.exec(page.url()));
    await (await asAdmin(shop)).PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id: orderId } },
      body: { payment_status: "paid" },
    });
    await page.reload();
    const button = page.getByRole("button", { name: "Download Seigaiha Wave Pattern" });
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    expect(download.suggestedFilename()).toMatch(/seigaiha/);
  });
});

describe.each(browsers)("a shopper on %s", (_, options) => {
  it("pays from the wallet that covers the order", async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop);
    const page = await aPage({ ...shopperAt(example), ...options });
    await addToCart(page, "wrist strap", "Rope Wrist Strap");
    await page.goto("/sign-in?next=/checkout");
    await signIn(page, shopper);
    await page.getByRole("radio", { name: "Wallet", checked: true }).waitFor();
    await fillAddress(page, "Lou Lossy");
    await pay(page, "$22.00").click();
    await told(page, "Your order is placed.");
    await page.getByText("from your wallet").waitFor();
    const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
    expect(profile.wallet_balance).toBe(478);
  });
});

describe.each([
  ["with script", true],
  ["without script", false],
])("a keyboard %s", (_, javaScriptEnabled) => {
  it("leads from the search to a paid order", LONG, async ({ shop, example, aPage }) => {
    const shopper = await aShopper(shop);
    const page = await aPage({ ...shopperAt(example), javaScriptEnabled });
    const { keyboard } = page;
    const tabTo = async (target: Locator) => {
      await target.waitFor();
      for (let tabs = 0; tabs < 60; tabs++) {
        if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
        await keyboard.press("Tab");
      }
      throw new Error(`The keyboard does not reach ${target}`);
    };
    const press = async (role: "button" | "link", name: string, key = "Enter") => {
      await tabTo(page.getByRole("main").getByRole(role, { name, exact: true }).first());
      await keyboard.press(key);
    };
    const type = async (label: string, words: string) => {
      await tabTo(page.getByLabel(label, { exact: true }).first());
      await keyboard.type(words);
    };
    await page.goto("/");
    await type("Search", "wrist strap");
    await keyboard.press("Enter");
    await press("link", "Rope Wrist Strap");
    await press("button", "Add to cart", "Space");
    await press("link", "Check out");
    await press("link", "Sign in");
    await type("E-mail", shopper.email);
    await type("Password", shopper.password);
    await keyboard.press("Enter");
    await told(page, "Welcome, Lou Lossy.");
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
  it("is shown to no other browser, whatever cookie it makes up", async ({ example, aPage }) => {
    const page = await aPage({ ...shopperAt(example) });
    const pathname = await orderAsGuest(page);
    const id = Number(/\d+$/.exec(pathname));

    const orders = JSON.stringify([{ id, reference: "0000-0000-0000" }]);
    const unsigned = encodeURIComponent(orders);
    const [{ value: signed = "" } = {}] = (await page.context().cookies()).filter(({ name }) => name === "shop-orders");
    const [, signature = ""] = decodeURIComponent(signed).split(/\.(?=[^.]*$)/);
    const stolen = encodeURIComponent(`${orders}.${signature}`);
    for (const cookie of ["", `shop-orders=${unsigned}`, `shop-orders=${stolen}`, "shop-orders=x.y"]) {
      for (const path of [pathname, `${pathname}/pay`, "/orders"]) {
        const response = await fetch(`${example}${path}`, { headers: { Cookie: cookie }, redirect: "manual" });
        expect([cookie, path, response.status]).toEqual([cookie, path, 303]);
        expect(response.headers.get("Location")).toMatch(/^\/sign-in\?/);
      }
    }
    const mine = await fetch(`${example}${pathname}`, { headers: { Cookie: `shop-orders=${signed}` } });
    expect(mine.status).toBe(200);
  });

  it("opens on another device by the link in its e-mail, without the buyer's name and address", async ({
    shop,
    example,
    aPage,
  }) => {
    const page = await aPage({ ...shopperAt(example) });
    await addToCart(page, "wrist strap", "Rope Wrist Strap");
    await page.getByRole("link", { name: "Check out" }).click();
    const email = anEmail();
    await page.getByLabel("E-mail").fill(email);
    await fillAddress(page, "Greta Guest");
    await page.getByRole("radio", { name: "Bank transfer" }).check();
    await pay(page).click();
    await page.getByText(email).waitFor();
    const number = (await page.locator("h1 .whole").textContent()) ?? "";
    const token = await sentToken(shop.base_url, email, "order");
    const [, reference = ""] = token.split("_");

    const phone = await aPage({ ...shopperAt(example) });
    await phone.goto(`/orders/reference/${reference}?token=${token}`);
    await phone.getByRole("heading", { name: number }).waitFor();
    expect(phone.url()).toBe(`${example}/orders/reference/${reference}`);
    await phone.getByText("IBAN GB33").waitFor();
    await look(phone, "example-linked-order");
    expect(await phone.locator("body").textContent()).not.toMatch(/Greta|Quay|BS1/);
    for (const query of ["?token=none", `?token=${token.slice(0, -1)}`]) {
      const wrong = await fetch(`${example}/orders/reference/${reference}${query}`, { redirect: "manual" });
      expect([query, wrong.status]).toEqual([query, 404]);
    }
    const nobody = await fetch(`${example}/orders/reference/${reference}`, { redirect: "manual" });
    expect([nobody.status, nobody.headers.get("Location")]).toEqual([
      303,
      `/sign-in?next=%2Forders%2Freference%2F${reference}`,
    ]);

    await phone.goto(`${shop.base_url}/account/order?token=${token}`);
    await phone.getByText("waiting for payment").waitFor();
    await look(phone, "account-order");
  });

  it("is not the next shopper's to see once somebody signed out", async ({ shop, example, aPage }) => {
    const page = await aPage({ ...shopperAt(example) });
    const pathname = await orderAsGuest(page);
    await page.goto("/sign-in?next=/orders");
    await signIn(page, await aShopper(shop, 0));
    await page.getByRole("heading", { name: "Guest orders from this browser" }).waitFor();
    await look(page, "example-orders-with-guest");
    await page.getByRole("button", { name: "Sign out" }).click();
    await told(page, "You are signed out.");
    await page.goto(pathname);
    await page.waitForURL("**/sign-in?next=**");
  });
});
