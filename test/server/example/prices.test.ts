import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { aPng } from "../../support/image-bytes.ts";
import { LONG } from "../../support/long.ts";
import { browsers } from "../browser/browsers.ts";
import { look } from "../browser/look.ts";
import { signIn as signInToPanel } from "../browser/sign-in.ts";
import { emailsTo } from "../emails.ts";
import { aShopper, asAdmin, findProduct } from "../shopper.ts";
import { it } from "./a-taxed-shop.ts";
import { addToCart, fillAddress, pay, shopperAt, signIn, told } from "./example.ts";

const BERLIN = { Country: "Germany", "Street address": "Torstraße 1", Postcode: "10119", City: "Berlin" };
const NEW_YORK = { Country: "United States", "Street address": "1 Wall Street", City: "New York", "ZIP code": "10005" };

/** Amounts of an order as the example shows them, line by line. */
const totalsOf = (page: Page) => linesOf(page, ".parts li, .total, .included");

/** Waits until a page shows exactly these lines: a form answers with another page, which the click does not wait for. */
const expectLines = (lines: () => Promise<string[]>, expected: unknown) =>
  expect.poll(lines, { timeout: 20_000 }).toEqual(expected);

const expectTotals = (page: Page, expected: unknown) => expectLines(() => totalsOf(page), expected);

async function linesOf(page: Page, selector: string): Promise<string[]> {
  const lines = await page.locator(selector).allInnerTexts();
  return lines.map((line) => line.replaceAll(/\s+/g, " ").replace(/ ?(-?\$)/, " $1"));
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

async function toCheckout(page: Page): Promise<void> {
  await addToCart(page, "wrist strap", "Rope Wrist Strap");
  await page.getByRole("link", { name: "Check out" }).click();
}

describe.each(browsers)("a guest on %s", (where, options) => {
  const see = async (page: Page, name: string) => where === "a desktop" && look(page, `example-prices-${name}`);

  it(
    "sees shipping, discount and tax before ordering, chooses, and pays the total that was shown",
    LONG,
    async ({ taxedShop, aPage }) => {
      const page = await aPage({ ...shopperAt(taxedShop.example), ...options });
      await toCheckout(page);
      await see(page, "address");
      expect(await pay(page).count()).toBe(0);
      const email = `${crypto.randomUUID()}@guest.example`;
      await page.getByLabel("E-mail").fill(email);
      await fillAddress(page, "Greta Guest", BERLIN);
      await page.getByText("2 to 3 days").waitFor();
      await expectTotals(page, ["Subtotal $22.00", "Shipping: Post $4.90", "Total $26.90", "Includes $4.29 MwSt. 19%"]);

      await page.getByRole("radio", { name: "Bank transfer" }).check();
      await page.getByLabel("Discount code").fill("autumn");
      await press(page, "Apply");
      await page.getByRole("alert").getByText("AUTUMN is not a valid discount code").waitFor();
      await see(page, "code-refused");
      await page.getByLabel("Discount code").fill("spring");
      await press(page, "Apply");
      await page.getByRole("button", { name: "Remove the code SPRING" }).waitFor();
      await page.getByRole("radio", { name: "Express" }).check();
      if (!options.javaScriptEnabled) {
        await pay(page, "$24.70").click();
        await page.getByRole("alert").getByText("The total has changed").waitFor();
      }
      const agreed = [
        "Subtotal $22.00",
        "Spring sale (SPRING) -$2.20",
        "Shipping: Express $12.90",
        "Total $32.70",
        "Includes $5.22 MwSt. 19%",
      ];
      await expectTotals(page, agreed);
      await page.getByLabel("Send the invoice to another address").check();
      await pay(page, "$32.70").click();
      await page.getByRole("alert").getByText("Invoice address: choose a country").waitFor();
      await page.locator("#billing-country").selectOption("Japan");
      if (!options.javaScriptEnabled) await page.getByRole("button", { name: "Continue" }).click();
      const invoice = { name: "山田 太郎", address: "千代田1-1", city: "千代田区", zip: "100-0001" };
      for (const [part, line] of Object.entries(invoice)) await page.locator(`#billing-${part}`).fill(line);
      await page.locator("#billing-region").selectOption({ index: 13 });
      // In the middle of the page, the bar with the total covers a field.
      await page.evaluate("scrollTo(0, 0)");
      await see(page, "express");
      await pay(page, "$32.70").click();
      await told(page, "Your order is placed.");
      const params = { query: { search: email } };
      const { data: orders } = await (await asAdmin(taxedShop)).GET("/api/v1/admin/orders", { params });
      expect(orders).toMatchObject([
        { shipping_address: { country: "DE" }, billing_address: { ...invoice, country: "JP" } },
      ]);
      await expectTotals(page, agreed);
      await page.getByText("10119 Berlin").waitFor();
      await page.getByText("千代田1-1").waitFor();
      await see(page, "order");
    },
  );
});

it("sends nothing more for a new total once a button was pressed", LONG, async ({ taxedShop, aPage }) => {
  const page = await aPage({ ...shopperAt(taxedShop.example) });
  await toCheckout(page);
  await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@guest.example`);
  await fillAddress(page, "Greta Guest", BERLIN);
  await expectTotals(page, expect.arrayContaining(["Total $26.90"]));
  const sent: (string | null)[] = [];
  await page.route("**/checkout", (route) => {
    const update = new URLSearchParams(route.request().postData() ?? "").get("update");
    if (route.request().method() === "POST") sent.push(update);
    // The total is never answered, as from a slow server.
    return update === "live" ? undefined : route.continue();
  });
  await page.getByRole("radio", { name: "Cash" }).check();
  await page.getByRole("radio", { name: "Bank transfer" }).check();
  await page.getByLabel("Discount code").fill("autumn");
  await press(page, "Apply");
  await page.getByRole("alert").getByText("AUTUMN is not a valid discount code").waitFor();
  expect(sent.filter((update) => update !== "keep")).toEqual(["live", "code"]);
});

it("taxes what is not sent by where the bill goes", LONG, async ({ taxedShop, aPage }) => {
  const page = await aPage({ ...shopperAt(taxedShop.example) });
  await addToCart(page, "consultation", "Recording Consultation, One Hour");
  await page.getByRole("link", { name: "Check out" }).click();
  await page.getByRole("group", { name: "Billing address" }).waitFor();
  await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@guest.example`);
  await fillAddress(page, "Greta Guest", BERLIN);
  const total = expect.stringMatching(/^Total /);
  await expectTotals(page, [total, expect.stringMatching(/^Includes \$[\d.]+ MwSt. 19%$/)]);
  await look(page, "example-prices-billing");
  await fillAddress(page, "Greta Guest");
  await expectTotals(page, [expect.stringMatching(/^Subtotal /), expect.stringMatching(/^Tax not due -/), total]);
  const lines = await totalsOf(page);
  await page.getByRole("radio", { name: "Bank transfer" }).check();
  await pay(page).click();
  await told(page, "Your order is placed.");
  await expectTotals(page, lines);
});

describe("a shopper", () => {
  it(
    "is asked for a state where it matters, taxed there, and offered no country that the shop does not ship to",
    LONG,
    async ({ taxedShop, aPage }) => {
      const shopper = await aShopper(taxedShop);
      const page = await aPage({ ...shopperAt(taxedShop.example) });
      await page.goto("/sign-in");
      await signIn(page, shopper);
      await told(page, "Welcome, Lou Lossy.");
      await toCheckout(page);
      await fillAddress(page, "Lou Lossy", NEW_YORK);
      await press(page, "Show the total");
      await page.getByRole("link", { name: "Choose the state" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("address-region");
      await page.evaluate("scrollTo(0, 0)");
      await look(page, "example-prices-state");
      // A total that arrives while the button is held down does not take its click away.
      await page.getByRole("button", { name: "Show the total" }).hover();
      await page.mouse.down();
      const answer = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByLabel("State").selectOption("New York");
      await (await answer).finished();
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
      const navigation = page.waitForEvent("framenavigated");
      await page.mouse.up();
      await navigation;
      await page.getByLabel("Discount code").fill("SPRING");
      await press(page, "Apply");
      await page.getByRole("button", { name: "Remove the code SPRING" }).waitFor();
      const lines = [
        "Subtotal $22.00",
        "Spring sale (SPRING) -$2.20",
        "Shipping: Airmail $20.00",
        "Total $39.80",
        "Includes $3.24 NY sales tax 8.875%",
      ];
      await expectTotals(page, lines);
      await look(page, "example-prices-new-york");

      const countries = page.getByLabel("Country").first().getByRole("option");
      expect(await countries.allTextContents()).toEqual(["Choose a country", "Germany", "United States"]);
      await page.getByRole("radio", { name: "Wallet", checked: true }).waitFor();
      await pay(page, "$39.80").click();
      await told(page, "Your order is placed.");
      await expectTotals(page, lines);
      const { data: profile } = await shopper.api.GET("/api/v1/user/account/profile");
      expect(profile.wallet_balance).toBe(500 - 39.8);
    },
  );

  it("chooses an address of their address book, saves another one, and orders without a code once too many were tried", async ({
    taxedShop,
    aPage,
  }) => {
    const shopper = await aShopper(taxedShop);
    const body = { name: "Lou Lossy", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
    await shopper.api.POST("/api/v1/user/account/addresses", { body });
    const page = await aPage({ ...shopperAt(taxedShop.example) });
    await page.goto("/sign-in");
    await signIn(page, shopper);
    await told(page, "Welcome, Lou Lossy.");
    await toCheckout(page);
    const field = page.getByLabel("Discount code");
    for (const [batch, refusal] of Object.entries({ A: "A0 is not", B: "B0 is not", C: "Too many codes were tried" })) {
      await field.fill(Array.from({ length: 10 }, (_, index) => `${batch}${index}`).join(", "));
      await press(page, "Apply");
      await page.getByRole("alert").getByText(refusal).first().waitFor();
    }
    await field.fill("");
    await pay(page, "$26.90").click();
    await told(page, "Your order is placed.");
    await page.getByText("10119 Berlin").waitFor();

    await toCheckout(page);
    await page.getByRole("radio", { name: "Torstraße 1", checked: true }).waitFor();
    await page.getByLabel("Country").first().waitFor({ state: "hidden" });
    await page.getByRole("radio", { name: "Another address" }).check();
    await fillAddress(page, "Ludwig Lossy", { ...BERLIN, "Street address": "Unter den Linden 6" });
    await page.getByLabel("Save this address in my account").check();
    await page.evaluate("scrollTo(0, 0)");
    await look(page, "example-prices-another-address");
    await pay(page, "$26.90").click();
    await told(page, "Your order is placed.");
    const { data: saved } = await shopper.api.GET("/api/v1/user/account/addresses");
    expect(saved.map(({ address }) => address)).toEqual(expect.arrayContaining(["Unter den Linden 6", "Torstraße 1"]));
  });
});

it(
  "tells what an order is made of and what went back of it in the panel, in e-mails and to the buyer alike",
  LONG,
  async ({ taxedShop, aPage }) => {
    const shopper = await aShopper(taxedShop);
    const { id: product_id, price } = await findProduct(shopper.api, "wrist strap");
    const address = { name: "Lou Lossy", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
    const { data: order } = await shopper.api.POST("/api/v1/user/orders", {
      body: {
        items: [{ product_id, quantity: 2, price }],
        shipping_address: address,
        discount_codes: ["spring"],
        payment_method: "wallet",
      },
    });
    const page = await aPage({ baseURL: taxedShop.base_url });
    await signInToPanel(page, taxedShop.admin);
    await page.waitForURL("/admin");
    await page.goto(`/admin/orders/${order.id}`);
    const parts = ["Subtotal $44.00", "Spring sale (SPRING) -$4.40", "Shipping: Post $4.90", "Total $44.50"];
    await expectLines(
      () => linesOf(page, "dl.total > div"),
      ["Subtotal before discounts $44.00", ...parts.slice(1), "Includes MwSt. 19 % $7.10"],
    );
    await look(page, "order-parts");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Rope Wrist Strap").fill("1");
    await page.getByRole("button", { name: "Refund now" }).click();
    await page.locator("dl.total").getByText("Refunded").waitFor();
    expect((await linesOf(page, "dl.total > div")).slice(5)).toEqual([
      "Refunded -$19.80",
      "Includes tax -$3.16",
      "Total after refunds $24.70",
    ]);
    await look(page, "order-parts-refunded");
    await page.goto("/admin");
    await page.getByRole("heading", { name: "Sales of the last 30 days" }).waitFor();
    await look(page, "overview-with-tax");

    const mail = async (subject: string) =>
      (await emailsTo(taxedShop.base_url, shopper.email)).find((one) => one.subject.includes(subject))?.text ?? "";
    await expect
      .poll(() => mail("Your refund for order"), { timeout: 60_000 })
      .toContain("$19.80, including $3.16 tax");
    for (const line of [...parts, "includes $7.10 MwSt. 19 %"])
      expect((await mail(`Your order ${order.number}`)).replaceAll(/ +/g, " ")).toContain(line);

    const shop = await aPage({ ...shopperAt(taxedShop.example) });
    await shop.goto(`/sign-in?next=/orders/${order.id}`);
    await signIn(shop, shopper);
    await shop.getByText("Refunded: $19.80, including tax: $3.16").waitFor();
    await expectTotals(shop, [...parts, "Includes $7.10 MwSt. 19%"]);
    await look(shop, "example-prices-refunded");
  },
);

// Pages of a shared shop would try to load the image from a host that does not exist.
it("shows an image of another host, and an uploaded one as wide as the page needs it", async ({ taxedShop, aPage }) => {
  const api = await asAdmin(taxedShop);
  const page = await aPage({ ...shopperAt(taxedShop.example) });
  /** Opens the page of a product with an image, and says which source of it is shown. */
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
