import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { createAdministrator } from "../../../scripts/administrators/statements.ts";
import { applyMigrations } from "../../../scripts/database/apply.ts";
import { openDatabase, STATE } from "../../../scripts/database/local.ts";
import { hashPassword } from "../../../src/accounts/users/sign-in/passwords.ts";
import { createStorefront, type Storefront } from "../../../src/client/index.ts";
import { sections, settingGroups } from "../../../src/panel/sections.ts";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { DIALOG, look } from "../browser/look.ts";
import { signIn } from "../browser/sign-in.ts";
import { told } from "../browser/told.ts";
import { aCheckout } from "../checkout.ts";
import { sentToken } from "../emails.ts";
import { asAdmin } from "../shopper.ts";
import { Hands } from "./hands.ts";

// A shop of its own, because it starts empty: without the demo's products, orders and people.

let checkout: Awaited<ReturnType<typeof aCheckout>>;
let baseURL: string;
const merchant = { email: "mia@shop.example", password: "a password that is long" };

beforeAll(async () => {
  checkout = await aCheckout(inject("state"));
  const state = join(checkout.folder, STATE);
  rmSync(state, { recursive: true });
  const person = { ...merchant, name: "Mia Merchant", passwordHash: await hashPassword(merchant.password) };
  const author = { actor: "system", address: null, requestId: "first-week", now: Date.now() };
  const database = openDatabase(state);
  applyMigrations(database);
  database.exec(createAdministrator(person, author));
  database.close();
  baseURL = (await checkout.start()).base_url;
}, 120_000);

afterAll(async () => {
  await checkout.kill();
  checkout.remove();
});

const HOME = { name: "Lou Later", address: "1 Quay Street", city: "Bristol", zip: "BS1 1AA" };

async function addProduct(page: Page, name: string, price: string): Promise<void> {
  await page.goto("/admin/products/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("SKU").fill(name.toUpperCase());
  await page.getByLabel("Price", { exact: false }).first().fill(price);
  await page.getByLabel("Status").selectOption("active");
  await page.getByLabel("Initial stock").fill("10");
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "was created");
}

async function ship(page: Page): Promise<void> {
  await page.getByLabel("Carrier").fill("Royal Mail");
  await page.getByRole("button", { name: "Ship order" }).click();
  await told(page, "The order is now shipped");
}

/** Pays on the test provider's page, which opens from the button on the shop's page. */
async function payByTestCard(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
}

/** Waits until the order's page shows the payment. The provider's event arrives a moment later. */
async function waitUntilPaid(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator(".badge", { hasText: /^paid$/ }).count();
    })
    .toBeGreaterThan(0);
}

let signedUp: Promise<Storefront> | undefined;

/** The shop's only customer with an account. */
function theCustomer(): Promise<Storefront> {
  signedUp ??= signUp();
  return signedUp;
}

async function signUp(): Promise<Storefront> {
  const shop = createStorefront({ baseUrl: baseURL });
  const account = { email: "lou@example.com", password: "a password that is long", name: HOME.name };
  const { data } = await shop.POST("/api/v1/user/auth/signup", { body: account });
  return shop.as(data.token);
}

/** Orders this many units through the API, as a storefront's checkout does. */
async function order(search: string, quantity: number, payment_method: "test_card" | "cash") {
  const customer = await theCustomer();
  const { data } = await customer.GET("/api/v1/user/products", { params: { query: { search } } });
  const items = data.slice(0, 1).map(({ id, price }) => ({ product_id: id, quantity, price }));
  return (await customer.POST("/api/v1/user/orders", { body: { items, shipping_address: HOME, payment_method } })).data;
}

it("has no faults in the lists and home of an empty shop, which name the first step", LONG, async ({ aPage }) => {
  const page = await aPage({ baseURL });
  await signIn(page, merchant);
  const pages = sections.flatMap(({ path, pages = [] }) => [path, ...pages.map((page) => page.path)]);
  const settings = settingGroups.flatMap(({ cards }) => cards.map(({ path }) => path));
  const wordless: string[] = [];
  for (const path of [...pages, ...settings].filter((path) => path.startsWith("/admin"))) {
    await page.goto(path);
    const isEmpty = (await page.locator(".empty .title").count()) > 0;
    // pages.test.ts looks at all others, such as settings, in a full shop.
    if (isEmpty || path === "/admin") await look(page, `empty${path.replaceAll("/", "-")}`);
    if (isEmpty && (await page.locator(".empty .muted").count()) === 0) wordless.push(path);
  }
  expect(wordless).toEqual([]);
});

it("chooses the currency, which the prices of the set-up and of products then have", async ({ aPage }) => {
  const page = await aPage({ baseURL });
  await signIn(page, merchant);
  await page.goto("/admin/shop");
  await page.getByLabel("Currency").selectOption("Japanese Yen (JPY)");
  await look(page, "shop-currency");
  await page.getByRole("button", { name: "Save settings" }).click();
  await told(page, "were saved");
  await page.goto("/admin/products/new");
  await page.getByText("JPY").first().waitFor();
  await page.goto("/admin/set-up/eu");
  await look(page, "set-up-currency");
  await page.getByLabel("The shop's country").selectOption("Germany");
  await page.getByLabel("Currency").selectOption("The currency of the country");
  await page.getByLabel("Domestic shipping").fill("4,90");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByText("Euro (EUR)").waitFor();
  await page.getByText("€4.90").first().waitFor();
  await look(page, "set-up-plan-currency");
  await page.goto("/admin/shop");
  await page.getByLabel("Currency").selectOption("US Dollar (USD)");
  await page.getByRole("button", { name: "Save settings" }).click();
  await told(page, "were saved");
});

it("leads from an empty shop to a paid test order and its refund", LONG, async ({ aPage }) => {
  const page = await aPage({ baseURL });
  await signIn(page, merchant);
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("link", { name: "Add the first product" }).click();
  await page.waitForURL(/products/);
  await addProduct(page, "Lamp", "24.50");

  await page.goto("/admin");
  await page
    .getByRole("link", { name: /Decide how customers pay/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Payments" }).waitFor();
  await page.getByLabel("Instructions for the buyer").first().fill("To IBAN GB33 BUKB 2020 1555 5555 55");
  await page.getByText("Cash on delivery", { exact: true }).click();
  expect(await page.getByLabel("Ship before payment").last().isChecked()).toBe(true);
  await page.locator("[name='cash.offered'][type=checkbox]").check();
  await page.getByRole("button", { name: "Save settings" }).click();
  await told(page, "The payment settings were saved");

  const placed = await order("lamp", 2, "test_card");
  expect(placed.number).toBe("#1001");
  const buyer = await aPage({ baseURL });
  await buyer.goto(placed.payment.next_action?.url ?? "");
  await payByTestCard(buyer);

  await page.goto(`/admin/orders/${placed.id}`);
  await waitUntilPaid(page);
  await page.getByRole("button", { name: "Refund" }).first().click();
  await page.getByRole("dialog").getByLabel("Lamp").fill("2");
  await page.getByRole("button", { name: /^Refund (now|\$)/ }).click();
  await told(page, "The refund was made");
});

it("sends a draft to its customer, who pays it by the test card, and ships it", LONG, async ({ aPage }) => {
  const page = await aPage({ baseURL });
  await signIn(page, merchant);
  await addProduct(page, "Shade", "12");
  await page.goto("/admin/orders/new");
  await page.getByLabel("Guest's e-mail").fill("greta@example.com");
  await page.getByLabel("Guest's name").fill("Greta Guest");
  await page.getByLabel("Add products").fill("SHADE");
  await page.getByRole("listbox").getByRole("option").first().click();
  await page.getByRole("button", { name: "Add to order" }).click();
  await page
    .getByRole("spinbutton", { name: /Quantity/ })
    .or(page.getByLabel(/^Quantity/))
    .first()
    .fill("3");
  await page.getByLabel("Payment method").selectOption("test_card");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.waitForURL(/drafts\/\d+/);
  await page.getByRole("button", { name: "Send to customer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await told(page, "The draft was sent");
  await look(page, "draft-sent");

  const token = await sentToken(baseURL, "greta@example.com", "draft");
  const guest = await aPage({ baseURL });
  await guest.goto(`/account/draft?token=${token}`);
  await guest.getByLabel("Name").fill("Greta Guest");
  await guest.getByLabel(/^Address( \*)?$/).fill(HOME.address);
  await guest.getByLabel("City").fill(HOME.city);
  await guest.getByLabel("Postal code").fill(HOME.zip);
  await look(guest, "draft-confirm");
  await guest.getByRole("button", { name: "Confirm order" }).click();
  await guest.getByRole("link", { name: /^Pay \$36/ }).click();
  await payByTestCard(guest);
  await guest.goto(`/account/draft?token=${token}`);
  await guest.getByText("The order is paid and is being prepared.").waitFor();

  await page.goto("/admin/orders");
  await page.getByRole("link", { name: "#1002" }).click();
  await waitUntilPaid(page);
  await page.getByRole("link", { name: "Edit order" }).click();
  await page
    .getByLabel(/^Quantity/)
    .first()
    .fill("2");
  await page.getByRole("button", { name: "Review changes" }).last().click();
  await page.getByText("The difference is refunded the way the order was paid.").waitFor();
  await look(page, "order-edit");
  await page.getByRole("button", { name: "Save changes" }).click();
  await told(page, "The order was edited");
  await ship(page);
  await guest.reload();
  await guest.getByText("The order is on its way.").waitFor();
});

it("ships an order by cash on delivery, and marks it as paid once the money has arrived", LONG, async ({ aPage }) => {
  const page = await aPage({ baseURL });
  await signIn(page, merchant);
  await addProduct(page, "Bulb", "5");
  const { id } = await order("bulb", 2, "cash");
  await page.goto(`/admin/orders/${id}`);
  await page.getByText("unpaid — cash on delivery").waitFor();
  await look(page, "order-paid-later");
  await page.goto(`/admin/orders/${id}/packing-slip`);
  await page.getByText("Collect $10.00").waitFor();
  await page.goto(`/admin/orders/${id}`);
  await ship(page);
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("dialog").getByLabel("The sent items came back").waitFor();
  await look(page, "order-paid-later-cancelling", { within: DIALOG });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Mark paid" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mark paid" }).click();
  await told(page, "The payment was recorded");
  await page
    .locator(".badge", { hasText: /^shipped$/ })
    .first()
    .waitFor();
  await page
    .locator(".badge", { hasText: /^paid$/ })
    .first()
    .waitFor();
});

it(
  "gives the accountant the tax report, invoices and payments of a month in twelve clicks",
  LONG,
  async ({ aPage }) => {
    const admin = await asAdmin({ base_url: baseURL, admin: merchant });
    await admin.PUT("/api/v1/admin/shop", {
      body: { name: "Lamps", address: { ...HOME, country: "GB" }, invoice_moment: "payment" },
    });
    const { id } = await order("bulb", 1, "cash");
    await admin.PUT("/api/v1/admin/orders/{id}", { params: { path: { id } }, body: { payment_status: "paid" } });
    const page = await aPage({ baseURL });
    await signIn(page, merchant);
    const hands = new Hands(page, 1280);
    const menu = page.locator("#menu");
    const saved = async (file: Locator) => {
      const download = page.waitForEvent("download");
      await hands.click(file);
      return (await download).suggestedFilename();
    };
    const exported = async (name: string) => {
      await hands.click(page.locator("summary", { hasText: "Export" }));
      return saved(page.getByRole("link", { name }));
    };
    await hands.section("Reports", "Tax report");
    await hands.link("This month");
    const report = await saved(page.getByRole("link", { name: "Export" }));
    await hands.click(menu.getByRole("link", { name: "Invoices" }));
    await hands.link("This month");
    await page.getByText("together $5.00").waitFor();
    const invoices = await exported("Invoices, ZIP");
    await hands.click(menu.getByRole("link", { name: "Transactions" }));
    await hands.link("This month");
    await page.getByText(/^\d sales .* Together/).waitFor();
    const payments = await exported("Transactions, CSV");
    expect([report, invoices, payments]).toEqual([
      expect.stringMatching(/^tax-report.*csv$/),
      expect.stringMatching(/^invoices.*zip$/),
      expect.stringMatching(/^transactions.*csv$/),
    ]);
    expect([hands.clicks, hands.fields]).toEqual([12, 0]);
  },
);
