import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browsers } from "../browser/browsers.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { told } from "../browser/told.ts";
import type { OpenShop } from "../checkout.ts";
import { aBuyer } from "./buyer.ts";

let made = 0;

/** Creates a digital product in the panel, changing only its type, and sells two units. */
async function anOrder(page: Page, shop: OpenShop) {
  const sku = `DIGITAL-${++made}`;
  await page.goto("/admin/products/new");
  expect(await page.getByLabel("Category", { exact: true }).inputValue()).toBe("");
  await page.getByLabel("Name").fill(`Pattern ${made}`);
  await page.getByLabel("SKU").fill(sku);
  await page.getByLabel("Type").selectOption("digital");
  await page.getByLabel("Price", { exact: false }).first().fill("3.10");
  await page.getByLabel("Status").selectOption("active");
  await page.getByRole("button", { name: "Create product" }).click();
  await told(page, "was created");
  const id = Number(/products\/(\d+)/.exec(page.url())?.[1]);
  const buy = await aBuyer(shop);
  const order = await buy("/orders", {
    items: [{ product_id: id, quantity: 2, price: 3.1 }],
    payment_method: "wallet",
  });
  expect([order.status, order.data?.status, order.data?.shipping_address]).toEqual([201, "completed", null]);
  await page.goto(`/admin/orders/${order.data.id}`);
  await page.getByRole("button", { name: "Refund", exact: true }).click();
  return { now: async () => (await buy(`/account/orders/${order.data.id}`)).data };
}

describe.each(browsers)("on %s", (_, options) => {
  it("a digital product created with the form's defaults is bought without an address, and refunded by an amount", async ({
    aSignedInPage,
    shop,
  }) => {
    const page = await aSignedInPage(options);
    const { now } = await anOrder(page, shop);
    const units = page.getByLabel(/^Pattern \d+$/);
    await page.getByText("of 2, at $3.10").waitFor();
    const amount = page.getByLabel("Or enter an amount");
    expect([await units.inputValue(), await amount.inputValue()]).toEqual(["", ""]);

    await amount.fill("6.21");
    await page.getByRole("button", { name: /^Refund (now|\$)/ }).click();
    const refused = page.getByRole("alert").filter({ hasText: "only 6.20 is left to refund" });
    await refused.getByRole("link", { name: "Or enter an amount" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("amount");

    await amount.fill("");
    await units.fill("1");
    if (options.javaScriptEnabled) {
      await page.getByText("$3.10 of $6.20 goes back").waitFor();
      await look(page, "order-refund-refused");
    } else {
      await page.getByRole("button", { name: "Preview refund" }).click();
      await told(page, "$3.10 of $6.20 will be refunded");
    }
    await units.fill("");
    await amount.fill("1.55");
    if (options.javaScriptEnabled) await page.getByText("$1.55 of $6.20 goes back").waitFor();
    await page.getByRole("button", { name: /^Refund (now|\$)/ }).click();
    await told(page, "The refund was made");
    expect(await now()).toMatchObject({ refunded_total: 1.55, payment_status: "partially_refunded" });
  });
});

it("the amount of a refund follows the typed values, as the shop would refund it", async ({ aSignedInPage, shop }) => {
  const page = await aSignedInPage();
  const { now } = await anOrder(page, shop);
  const units = page.getByLabel(/^Pattern \d+$/);
  const amount = page.getByLabel("Or enter an amount");
  const told = page.locator("[data-refund]");
  const typed: [string, string, string][] = [
    ["2", "", "$6.20 of $6.20 goes back"],
    ["3", "", "This amount cannot be refunded. Check your entries"],
    ["half", "", "This amount cannot be refunded. Check your entries"],
    ["1", "1", "This amount cannot be refunded. Check your entries"],
    ["", "6.21", "This amount cannot be refunded. Check your entries"],
    ["", "0.29", "$0.29 of $6.20 goes back"],
    ["", "$ 0,29", "$0.29 of $6.20 goes back"],
    ["", "€ 0.29", "This amount cannot be refunded. Check your entries"],
    ["", "half", "This amount cannot be refunded. Check your entries"],
    ["1", "", "$3.10 of $6.20 goes back"],
  ];
  for (const [count, money, words] of typed) {
    await units.fill(count);
    await amount.fill(money);
    await expect.poll(() => told.textContent()).toBe(words);
  }
  await units.press("Enter");
  await page.getByRole("button", { name: "Refund $3.10", exact: true }).waitFor();
  expect(await now()).toMatchObject({ refunded_total: 0 });
  await page.getByRole("button", { name: /^Refund (now|\$)/ }).click();
  await page.getByRole("status").filter({ hasText: "The refund was made" }).waitFor();
  expect(await now()).toMatchObject({ refunded_total: 3.1 });
});
