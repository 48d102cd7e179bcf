import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { delayResponse } from "../browser/delay-response.ts";
import { it } from "../browser/it.ts";
import { look, resize } from "../browser/look.ts";

it("finds anything from any page by the keyboard alone", LONG, async ({ aSignedInPage }) => {
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
  await page.locator("main").click();
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

it("keeps the search where one is in what it found, although an answer comes late", async ({ aSignedInPage }) => {
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

it("folds all filters but the first away on a phone, unless one of them is set", async ({ aSignedInPage }) => {
  const phone = await aSignedInPage({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
  await phone.goto("/admin/products");
  const status = phone.getByLabel("Status");
  expect([await phone.getByLabel("Search", { exact: true }).isVisible(), await status.isVisible()]).toEqual([
    true,
    false,
  ]);
  await phone.getByText("More filters").click();
  await status.selectOption("Draft");
  await phone.getByRole("button", { name: "Filter" }).click();
  await phone.waitForURL(/status=draft/);
  expect(await status.isVisible()).toBe(true);

  const desktop = await aSignedInPage();
  await desktop.goto("/admin/products");
  expect(await desktop.getByLabel("Status").first().isVisible()).toBe(true);
  expect(await desktop.getByText("More filters").isVisible()).toBe(false);
});

/** Gives each state and amount of a list the longest text that it can have. */
const WIDEST = `
  for (const badge of document.querySelectorAll("td .badge")) badge.textContent = "Partially refunded";
  for (const money of document.querySelectorAll("td.money, td .money")) money.textContent = "$9,999,999.99";
`;

it("is as wide as the window of a tablet or a small laptop, and no wider", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  const wider: string[] = [];
  for (const list of ["orders", "transactions", "api-keys", "files", "packages", "emails"]) {
    await page.goto(`/admin/${list}`);
    await page.evaluate(WIDEST);
    for (const width of [834, 960, 1024, 1100]) {
      await resize(page, { width, height: 800 });
      const overflow = await page.evaluate<number>("document.scrollingElement.scrollWidth - innerWidth");
      if (overflow > 0) wider.push(`${list} by ${overflow} at ${width}`);
    }
  }
  expect(wider).toEqual([]);
});

it("saves how a list is narrowed and ordered, and shows it again", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products");
  await look(page, "products");
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
  await page.getByRole("link", { name: "Dearest first" }).click();
  await page.waitForURL("**/admin/products?sort=-price");
  await page.getByRole("button", { name: "Delete view" }).click();
  await page.getByText("Dearest first was deleted").waitFor();
  for (const list of ["orders", "customers", "files", "audit-log"]) {
    await page.goto(`/admin/${list}`);
    await look(page, `list-${list}`);
  }
});

it("changes rows that are ticked, as many as lie between two of them", LONG, async ({ aSignedInPage }) => {
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
  await page.getByText("Updated 3 rows").waitFor();
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
