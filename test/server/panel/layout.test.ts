import { expect } from "vitest";
import { it } from "../browser/it.ts";
import { look, resize } from "../browser/look.ts";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 800 };

/** Words of table cells that are on two lines. */
const BROKEN_WORDS = `[...document.querySelectorAll("td")].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const { index, 0: word } of texts.currentNode.nodeValue.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

it("keeps words whole in the tables of sales", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  await page.goto("/admin/sales");
  expect(await page.locator("td").count()).toBeGreaterThan(10);
  for (const width of [1440, 1280, 1024, 390]) {
    await resize(page, { ...DESKTOP, width });
    expect(await page.evaluate(BROKEN_WORDS), `${width} wide`).toEqual([]);
  }
});

it("keeps the words of the box that selects all variants on one line, on a phone and at 200 % zoom", async ({
  aSignedInPage,
}) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  await page.goto("/admin/products?search=Linen+Journal");
  await page.locator("main").getByRole("link", { name: "Linen Journal" }).click();
  const head = page.locator("#variants thead .select");
  await head.waitFor({ state: "attached" });
  for (const width of [390, 640]) {
    await resize(page, { ...PHONE, width });
    expect((await head.boundingBox())?.height, `${width} wide`).toBeLessThan(60);
  }
});

it("shows all of a menu on a phone", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: PHONE });
  await page.goto("/admin/orders/1000");
  await page.getByText("More", { exact: true }).click();
  await page.getByRole("button", { name: "Cancel order" }).waitFor();
  await look(page, "admin-orders-menu", { views: [{ width: PHONE.width, colorScheme: "light" }] });
});

it("opens the export menu beside its button", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  for (const width of [DESKTOP.width, PHONE.width]) {
    await resize(page, { ...DESKTOP, width });
    await page.goto("/admin/orders");
    await page.getByText("Export", { exact: true }).click();
    const button = await page.getByText("Export", { exact: true }).boundingBox();
    const menu = await page.locator("details.menu[open] > div").boundingBox();
    if (!button || !menu) throw new Error("The menu is not shown");
    expect(menu.y - button.y - button.height, `${width} wide`).toBeLessThan(16);
    expect(menu.x < button.x + button.width && menu.x + menu.width > button.x, `${width} wide`).toBe(true);
    expect(menu.x >= 0 && menu.x + menu.width <= width, `${width} wide`).toBe(true);
  }
});

it("shows categories to choose from in the order of their tree, from top to bottom", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  await page.goto("/admin/discounts/new");
  const places = await page
    .locator(".choices .check")
    .evaluateAll((boxes) => boxes.map((box) => box.getBoundingClientRect()).map(({ left, top }) => ({ left, top })));
  expect(new Set(places.map(({ left }) => left)).size).toBeGreaterThan(1);
  expect(places).toEqual(places.toSorted((one, other) => one.left - other.left || one.top - other.top));
});

it("aligns the fields of a bulk action", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  await page.goto("/admin/products");
  await page.locator("tbody .select input").first().check();
  await page.getByLabel("Action", { exact: true }).selectOption("Change the price");
  const bottoms = await page
    .locator(".bulk .fields :is(input, select, button):visible")
    .evaluateAll((controls) => controls.map((control) => Math.round(control.getBoundingClientRect().bottom)));
  expect(bottoms).toHaveLength(4);
  expect(new Set(bottoms).size).toBe(1);
});

it("names the button that removes a line of an order once on a phone", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: PHONE });
  await page.goto("/admin/orders/new");
  await page.getByLabel("Add products").fill("FLM-308");
  await page.getByRole("listbox").getByRole("option").first().click();
  await page.getByRole("button", { name: "Add to order" }).click();
  await page.getByRole("button", { name: /^Remove / }).waitFor();
  const label = "getComputedStyle(document.querySelector('[data-label=Remove]'), '::before').display";
  expect(await page.evaluate(label)).toBe("none");
  await look(page, "order-with-line");
});

it("shows the name and pictures of a product before its variants", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  await page.goto("/admin/products?search=Linen+Journal");
  await page.locator("main").getByRole("link", { name: "Linen Journal" }).click();
  const parts = [page.getByLabel("Name"), page.locator(".images"), page.locator("#variants table")];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? Number.NaN));
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
});

it("shows a customer's orders next to the contact, and creates an order for the customer", async ({
  aSignedInPage,
}) => {
  const page = await aSignedInPage({ viewport: DESKTOP });
  await page.goto("/admin/customers?search=casey");
  await page.locator("main").getByRole("link", { name: "Casey Customer" }).click();
  const [orders, contact] = await Promise.all(
    ["Orders", "Contact"].map((name) => page.getByRole("heading", { name, exact: true }).boundingBox()),
  );
  expect(contact?.x).toBeGreaterThan(orders?.x ?? Number.NaN);
  await page.getByRole("link", { name: "Create order" }).click();
  await page.getByText("Casey Customer").first().waitFor();
});

it("asks for the customer of an order before the address, on a phone too", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: PHONE });
  await page.goto("/admin/orders/new");
  const headings = await page.locator("main h2:visible").allTextContents();
  expect(headings.slice(0, 3)).toEqual(["Items", "Customer", "Shipping"]);
});

it("keeps the figures of sales within their card on a phone", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: PHONE });
  await page.goto("/admin");
  const sides = "[...document.querySelectorAll('.card dl.tiles > *')].map((tile) => [tile, tile.closest('.card')]";
  const rights = `${sides}.map((part) => part.getBoundingClientRect().right))`;
  const found = await page.evaluate<[tile: number, card: number][]>(rights);
  expect(found).toHaveLength(4);
  for (const [tile, card] of found) expect(tile).toBeLessThan(card);
});
