import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { look } from "../browser/look.ts";
import { signIn as signInToPanel } from "../browser/sign-in.ts";
import type { OpenShop } from "../checkout.ts";
import { emailsTo } from "../emails.ts";
import { aVisitor, type Visitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin, findProduct } from "../shopper.ts";
import { addToCart, aVisitOf, BERLIN, fillAddress, fillInAddress, goingOn, it, pay, paying, told } from "./example.ts";

const NEW_YORK = { Country: "United States", "Street address": "1 Wall Street", City: "New York", "ZIP code": "10005" };

const TOTALS = ".parts li, .total, .included";

/** Amounts of an order as the example shows them, line by line. */
const totalsOf = (visitor: Visitor) => visitor.texts(TOTALS).map(spaced);

const spaced = (line: string) => line.replaceAll(/\s+/g, " ").replace(/ ?(-?\$)/, " $1");

/** Waits until a page shows exactly these lines. A form responds with another page, for which a click does not wait. */
const expectLines = (lines: () => Promise<string[]>, expected: unknown) =>
  expect.poll(lines, { timeout: 20_000 }).toEqual(expected);

const expectTotals = (page: Page, expected: unknown) => expectLines(() => linesOf(page, TOTALS), expected);

async function linesOf(page: Page, selector: string): Promise<string[]> {
  const lines = await page.locator(selector).allInnerTexts();
  return lines.map(spaced);
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

async function aCart(visitor: Visitor): Promise<Visitor> {
  await addToCart(visitor, "wrist strap", "Rope Wrist Strap");
  return visitor;
}

describe("a guest sees shipping, discount and tax before ordering, chooses, and pays the displayed total", () => {
  const agreed = [
    "Subtotal $22.00",
    "Spring sale (SPRING) -$2.20",
    "Shipping: Express $12.90",
    "Total $32.70",
    "Includes $5.22 MwSt. 19%",
  ];
  const invoice = { name: "山田 太郎", address: "千代田1-1", city: "千代田区", zip: "100-0001" };
  const home = ["Subtotal $22.00", "Shipping: Post $4.90", "Total $26.90", "Includes $4.29 MwSt. 19%"];

  it("with script", LONG, async ({ ownShop, aPage }) => {
    const page = await aPage(goingOn(await aCart(aVisitor(ownShop.example)), ownShop.example));
    await page.goto("/checkout");
    expect(await pay(page).count()).toBe(0);
    const email = `${crypto.randomUUID()}@guest.example`;
    await page.getByLabel("E-mail").fill(email);
    await fillAddress(page, "Greta Guest", BERLIN);
    await page.getByText("2 to 3 days").waitFor();
    await expectTotals(page, home);

    await page.getByRole("radio", { name: "Bank transfer" }).check();
    await page.getByLabel("Discount code").fill("autumn");
    await press(page, "Apply");
    await page.getByRole("alert").getByText("AUTUMN is not a valid discount code").waitFor();
    await page.getByLabel("Discount code").fill("spring");
    await press(page, "Apply");
    await page.getByRole("button", { name: "Remove the code SPRING" }).waitFor();
    await page.getByRole("radio", { name: "Express" }).check();
    await expectTotals(page, agreed);
    await page.getByLabel("Send the invoice to another address").check();
    await pay(page, "$32.70").click();
    await page.getByRole("alert").getByText("Invoice address: choose a country").waitFor();
    await page.locator("#billing-country").selectOption("Japan");
    for (const [part, line] of Object.entries(invoice)) await page.locator(`#billing-${part}`).fill(line);
    await page.locator("#billing-region").selectOption({ index: 13 });
    // Further down, the bar with the total covers a field.
    await page.evaluate("scrollTo(0, 0)");
    await look(page, "example-prices-express");
    await pay(page, "$32.70").click();
    await told(page, "Your order is placed.");
    const params = { query: { search: email } };
    const { data: orders } = await (await asAdmin(ownShop)).GET("/api/v1/admin/orders", { params });
    expect(orders).toMatchObject([
      { shipping_address: { country: "DE" }, billing_address: { ...invoice, country: "JP" } },
    ]);
    await expectTotals(page, agreed);
    await page.getByText("10119 Berlin").waitFor();
    await page.getByText("千代田1-1").waitFor();
  });

  it("without script", async ({ ownShop }) => {
    const visitor = await aCart(aVisitor(ownShop.example));
    await visitor.follow("Check out");
    expect(visitor.hasButton(paying())).toBe(false);
    const email = `${crypto.randomUUID()}@guest.example`;
    visitor.fill("E-mail", email);
    await fillInAddress(visitor, "Greta Guest", BERLIN);
    expect(visitor.text()).toContain("2 to 3 days");
    expect(totalsOf(visitor)).toEqual(home);

    visitor.check("Bank transfer");
    visitor.fill("Discount code", "autumn");
    await visitor.press("Apply");
    visitor.alerted("AUTUMN is not a valid discount code");
    visitor.fill("Discount code", "spring");
    await visitor.press("Apply");
    expect(visitor.hasButton("Remove the code SPRING")).toBe(true);
    visitor.check("Express");
    await visitor.press(paying("$24.70"));
    visitor.alerted("The total has changed");
    expect(totalsOf(visitor)).toEqual(agreed);
    visitor.check("Send the invoice to another address");
    await visitor.press(paying("$32.70"));
    visitor.alerted("Invoice address: choose a country");
    visitor.choose("Country", "Japan", 1);
    await visitor.press("Continue");
    const labels = { "Full name": invoice.name, "Street address": invoice.address, City: invoice.city };
    for (const [label, line] of Object.entries(labels)) visitor.fill(label, line, 1);
    visitor.fill("Postal code", invoice.zip);
    visitor.choose("Prefecture", 13);
    await visitor.press(paying("$32.70"));
    visitor.told("Your order is placed.");
    const params = { query: { search: email } };
    const { data: orders } = await (await asAdmin(ownShop)).GET("/api/v1/admin/orders", { params });
    expect(orders).toMatchObject([
      { shipping_address: { country: "DE" }, billing_address: { ...invoice, country: "JP" } },
    ]);
    expect(totalsOf(visitor)).toEqual(agreed);
    expect(visitor.text()).toContain("10119 Berlin");
    expect(visitor.text()).toContain("千代田1-1");
  });
});

it("requests no new total once a button was pressed", LONG, async ({ ownShop, aPage }) => {
  const page = await aPage(goingOn(await aCart(aVisitor(ownShop.example)), ownShop.example));
  await page.goto("/checkout");
  await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@guest.example`);
  await fillAddress(page, "Greta Guest", BERLIN);
  await expectTotals(page, expect.arrayContaining(["Total $26.90"]));
  await page.locator("form.checkout:not([aria-busy])").waitFor();
  const sent: (string | null)[] = [];
  await page.route("**/checkout", (route) => {
    const update = new URLSearchParams(route.request().postData() ?? "").get("update");
    if (route.request().method() === "POST") sent.push(update);
    // The request for the total is never answered, as with a slow server.
    return update === "live" ? undefined : route.continue();
  });
  await page.getByRole("radio", { name: "Cash" }).check();
  await expect.poll(() => sent).toContain("live");
  await page.getByRole("radio", { name: "Bank transfer" }).check();
  await page.getByLabel("Discount code").fill("autumn");
  await press(page, "Apply");
  await page.getByRole("alert").getByText("AUTUMN is not a valid discount code").waitFor();
  expect(sent.filter((update) => update !== "keep")).toEqual(["live", "code"]);
});

it("taxes digital goods by the billing address", async ({ ownShop, see }) => {
  const visitor = aVisitor(ownShop.example);
  await addToCart(visitor, "consultation", "Recording Consultation, One Hour");
  await visitor.follow("Check out");
  expect(visitor.texts("legend")).toContain("Billing address");
  visitor.fill("E-mail", `${crypto.randomUUID()}@guest.example`);
  await fillInAddress(visitor, "Greta Guest", BERLIN);
  const total = expect.stringMatching(/^Total /);
  expect(totalsOf(visitor)).toEqual([total, expect.stringMatching(/^Includes \$[\d.]+ MwSt. 19%$/)]);
  await see(visitor, "prices-billing");
  await fillInAddress(visitor, "Greta Guest");
  const lines = totalsOf(visitor);
  expect(lines).toEqual([expect.stringMatching(/^Subtotal /), expect.stringMatching(/^Tax not due -/), total]);
  visitor.check("Bank transfer");
  await visitor.press(paying());
  visitor.told("Your order is placed.");
  expect(totalsOf(visitor)).toEqual(lines);
});

describe("a shopper", () => {
  it(
    "is asked for a state if it matters, taxed there, and offered only countries that the shop ships to",
    LONG,
    async ({ ownShop, aPage }) => {
      const shopper = await aShopper(ownShop);
      const page = await aPage(goingOn(await aCart(aVisitOf(shopper, ownShop.example)), ownShop.example));
      await page.goto("/checkout");
      await fillAddress(page, "Lou Lossy", NEW_YORK);
      await press(page, "Show the total");
      await page.getByRole("link", { name: "Choose the state" }).click();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("address-region");
      await page.evaluate("scrollTo(0, 0)");
      await look(page, "example-prices-state");
      // A total that arrives while the button is held down must not cancel the click.
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

  it("chooses an address of their address book, and orders without a code once too many were tried", async ({
    ownShop,
  }) => {
    const visitor = await aCart(aVisitOf(await aBerliner(ownShop), ownShop.example));
    await visitor.follow("Check out");
    for (const [batch, refusal] of Object.entries({ A: "A0 is not", B: "B0 is not", C: "Too many codes were tried" })) {
      visitor.fill("Discount code", Array.from({ length: 10 }, (_, index) => `${batch}${index}`).join(", "));
      await visitor.press("Apply");
      visitor.alerted(refusal);
    }
    visitor.fill("Discount code", "");
    await visitor.press(paying("$26.90"));
    visitor.told("Your order is placed.");
    expect(visitor.text()).toContain("10119 Berlin");
  });

  it("saves another address in addition to those of the address book", LONG, async ({ ownShop, aPage }) => {
    const shopper = await aBerliner(ownShop);
    const page = await aPage(goingOn(await aCart(aVisitOf(shopper, ownShop.example)), ownShop.example));
    await page.goto("/checkout");
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

/** A shopper with an address in Berlin. */
async function aBerliner(shop: OpenShop) {
  const shopper = await aShopper(shop);
  const body = { name: "Lou Lossy", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" };
  await shopper.api.POST("/api/v1/user/account/addresses", { body });
  return shopper;
}

it(
  "sees the parts of an order and its refunds, the same in the panel, in e-mails and in the shop",
  LONG,
  async ({ ownShop, aPage, see }) => {
    const shopper = await aShopper(ownShop);
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
    const page = await aPage({ baseURL: ownShop.base_url });
    await signInToPanel(page, ownShop.admin);
    await page.waitForURL("/admin");
    await page.goto(`/admin/orders/${order.id}`);
    const parts = ["Subtotal $44.00", "Spring sale (SPRING) -$4.40", "Shipping: Post $4.90", "Total $44.50"];
    await expectLines(
      () => linesOf(page, "dl.total > div"),
      ["Subtotal before discounts $44.00", ...parts.slice(1), "Includes MwSt. 19 % $7.10"],
    );
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Rope Wrist Strap").fill("1");
    await page.getByRole("button", { name: /^Refund (now|\$)/ }).click();
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
      (await emailsTo(ownShop.base_url, shopper.email)).find((one) => one.subject.includes(subject))?.text ?? "";
    await expect
      .poll(() => mail("Your refund for order"), { timeout: 60_000 })
      .toContain("$19.80, including $3.16 tax");
    for (const line of [...parts, "includes $7.10 MwSt. 19 %"])
      expect((await mail(`Your order ${order.number}`)).replaceAll(/ +/g, " ")).toContain(line);

    const visitor = aVisitOf(shopper, ownShop.example);
    await visitor.open(`/orders/${order.id}`);
    expect(visitor.text()).toContain("Refunded: $19.80, including tax: $3.16");
    expect(totalsOf(visitor)).toEqual([...parts, "Includes $7.10 MwSt. 19%"]);
    await see(visitor, "prices-refunded");
  },
);
