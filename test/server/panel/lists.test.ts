import type { Page } from "playwright-core";
import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { delayResponse } from "../browser/delay-response.ts";
import { it } from "../browser/it.ts";
import { look, resize } from "../browser/look.ts";

it("finds anything from any page with only the keyboard", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/discounts");
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.waitFor();
  await page.keyboard.insertText("lamp");
  await dialog.getByRole("link", { name: "Products" }).waitFor();
  await look(page, "search-dialog");
  const [first, second] = await dialog
    .locator("li a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => page.evaluate("document.activeElement.getAttribute('href')")).toBe(first);
  expect(second).not.toBe(first);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**${first}`);
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("Control+k");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.goto("/admin/search?q=lamp");
  await look(page, "search");
});

it("opens the search with the shortcut and loses no letter, however late its script arrives", async ({
  aSignedInPage,
}) => {
  const page = await aSignedInPage();
  await page.goto("/admin/discounts");
  const arrive = await delayResponse(page, "**/admin-assets/search.js", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("lamp");
  });
  const dialog = page.getByRole("dialog", { name: "Search" });
  expect(await dialog.getByLabel("Search everything").inputValue()).toBe("lamp");
  await arrive();
  await dialog.getByRole("link", { name: "Products" }).waitFor();
});

it("keeps the focus in the search's results although a response arrives late", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin");
  await page.keyboard.press("/");
  await page.getByRole("dialog", { name: "Search" }).waitFor();
  await page.keyboard.insertText("lamp");
  await page.getByRole("dialog").getByRole("link", { name: "Products" }).waitFor();
  const answer = await delayResponse(page, "**/admin/search?q=lamps", () => page.keyboard.insertText("s"));
  await page.keyboard.press("ArrowDown");
  const focused = () => page.evaluate("document.activeElement.getAttribute('href')");
  const first = await focused();
  await answer();
  expect([first, await focused()]).toEqual([expect.stringMatching(/^\/admin\//), first]);
});

it("folds all filters except the first on a phone, and those with labels on a desktop", async ({ aSignedInPage }) => {
  const phone = await aSignedInPage({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
  await phone.goto("/admin/orders");
  const status = phone.getByLabel("Status");
  const first = phone.getByLabel("Number, customer, product or tracking");
  expect([await first.isVisible(), await status.isVisible()]).toEqual([true, false]);
  await phone.getByText("More filters").click();
  await status.selectOption("completed");
  await phone.getByRole("button", { name: "Filter" }).click();
  await phone.waitForURL(/status=completed/);
  expect([await status.isVisible(), await phone.locator("summary .count").textContent()]).toEqual([false, "1"]);

  const desktop = await aSignedInPage();
  await desktop.goto("/admin/orders");
  await desktop.getByLabel("Status").selectOption("completed");
  await desktop.waitForURL(/status=completed/);
  await expect.poll(() => desktop.getByRole("button", { name: "Filter" }).count()).toBe(0);
  await desktop.getByLabel("From").waitFor({ state: "hidden" });
  await desktop.getByText("More filters").click();
  await desktop.getByLabel("From").waitFor();
  await look(desktop, "orders-more-filters");
});

/** Gives every status and amount of a list its longest possible text. */
const WIDEST = `
  for (const badge of document.querySelectorAll("td .badge")) badge.textContent = "Partially refunded";
  for (const money of document.querySelectorAll("td.money, td .money")) money.textContent = "$9,999,999.99";
`;

/** Pixels by which a page is wider than a window of this width, measured before painting. */
async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(`new Promise((done) =>
    requestAnimationFrame(() => done(document.scrollingElement.scrollWidth - innerWidth)))`);
}

it("fits the window of a tablet or a small laptop exactly", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  const wider: string[] = [];
  for (const list of ["orders", "transactions", "api-keys", "files", "packages", "emails", "products", "customers"]) {
    await page.goto(`/admin/${list}`);
    await page.evaluate(WIDEST);
    for (const width of [390, 768, 834, 960, 1024, 1100, 1200, 1280, 1440]) {
      const overflow = await overflowAt(page, width);
      if (overflow > 0) wider.push(`${list} by ${overflow} at ${width}`);
    }
  }
  expect(wider).toEqual([]);
});

it("keeps the tables of sales within their cards", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/sales");
  await page.evaluate(WIDEST);
  const leaving = `[...document.querySelectorAll(".card table")].filter((table) =>
    table.getBoundingClientRect().right > table.closest(".card").getBoundingClientRect().right).map(({ ariaLabel }) => ariaLabel)`;
  for (const width of [1440, 1280, 1024, 390]) {
    await resize(page, { width, height: 800 });
    expect.soft([width, await page.evaluate(leaving)]).toEqual([width, []]);
  }
});

it("wraps the long name of a saved view instead of leaving the window", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/orders?status=refunded");
  await page.locator("summary", { hasText: "Save view" }).click();
  await page.locator(".views").getByLabel("Name").fill("W".repeat(60));
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByText("was saved").waitFor();
  for (const width of [1024, 390]) {
    expect.soft([width, await overflowAt(page, width)]).toEqual([width, 0]);
  }
  await page.getByRole("button", { name: "Delete view" }).click();
  await page.getByText("was deleted").waitFor();
});

it("shows twenty orders at once on a laptop, and each in two lines on a phone", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: { width: 1440, height: 900 } });
  await page.goto("/admin/orders");
  const bottom = "document.querySelector('tbody tr:last-child').getBoundingClientRect().bottom";
  expect(await page.locator("tbody tr").count()).toBe(20);
  expect(await page.evaluate(bottom)).toBeLessThanOrEqual(900);
  await resize(page, { width: 390, height: 800 });
  // A few refunded orders of other tests need a third line.
  expect(await page.evaluate("document.scrollingElement.scrollHeight")).toBeLessThan(1900);
});

it("saves a list's filters and order, and shows them again", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products");
  await page.getByRole("link", { name: "Price" }).click();
  await page.waitForURL("**/admin/products?sort=price");
  await page.getByRole("link", { name: "Price" }).click();
  await page.waitForURL("**/admin/products?sort=-price");
  await page.locator("th[aria-sort=descending]").waitFor();
  await page.locator("summary", { hasText: "Save view" }).click();
  await look(page, "products-save-view");
  await page.getByLabel("Name", { exact: false }).last().fill("Dearest first");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByText("Dearest first was saved").waitFor();
  await look(page, "products-view");
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.waitForURL("**/admin/products");
  await page.getByRole("link", { name: "Dearest first" }).click();
  await page.waitForURL("**/admin/products?sort=-price");
  await page.getByRole("button", { name: "Delete view" }).click();
  await page.getByText("Dearest first was deleted").waitFor();
});

it("changes selected rows, including a range between two of them", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products?sort=name");
  await page.getByLabel("Action", { exact: true }).waitFor({ state: "hidden" });
  const boxes = page.locator("tbody input[name=ids]");
  await boxes.nth(1).check();
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  await page.getByText("3 selected").waitFor();
  await page.getByLabel("Action", { exact: true }).selectOption("Change the price");
  await page.getByLabel("Pieces").waitFor({ state: "hidden" });
  await look(page, "products-selected");
  await page.getByLabel("By percent").fill("-10");
  await page.getByRole("button", { name: "Apply" }).click();
  // A product with variants counts as one row per variant.
  await page.locator(":focus", { hasText: /Updated \d+ products/ }).waitFor();
  expect(page.url()).toContain("/admin/products?sort=name");
  await page.getByLabel("All on this page").check();
  await page.getByText("20 selected").waitFor();
  await boxes.nth(0).uncheck();
  await page.getByText("19 selected").waitFor();
  await page.getByLabel(/^All \d+ in the list/).check();
  await page.getByText("All selected").waitFor();
  await page.goto("/admin/orders?status=completed");
  await page.locator("tbody input[name=ids]").first().check();
  await look(page, "orders-selected");
  await page.getByLabel("Carrier").fill("Royal Mail");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("cannot become shipped").waitFor();
  await look(page, "job-with-failures");
});

it("moves no row when the first one is selected", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products");
  const tops = () => page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  const before = await tops();
  await page.locator("tbody .select input").first().check();
  await page.getByText("1 selected").waitFor();
  expect(await tops()).toEqual(before);
});
