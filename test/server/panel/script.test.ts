import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { it } from "../browser/it.ts";

// panel.js improves pages that work without it.

/** Marks the document. The mark survives when the script swaps a page, and is lost when a page is loaded. */
const mark = (page: Page) => page.evaluate("window.marked = true");
const isMarked = (page: Page) => page.evaluate<boolean>("window.marked === true");
const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");
const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

describe("a link", () => {
  it("swaps the page, and announces it to screen readers", async ({ aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin");
    await mark(page);
    await page.getByRole("link", { name: "Products" }).click();
    await page.waitForURL("/admin/products");
    await page.locator("[aria-live]", { hasText: "Products · Storefront" }).waitFor({ state: "attached" });
    await page.getByRole("heading", { name: "Products", level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe("Products · Storefront");
    await expect.poll(() => page.locator("#menu [aria-current=page]").textContent()).toBe("Products");
    await expect.poll(() => focused(page)).toBe("main");
    expect(await isMarked(page)).toBe(true);
  });

  it("supports going back and forward, with the scroll position of the page", async ({ aSignedInPage }) => {
    const page = await aSignedInPage({ viewport: { width: 1280, height: 500 } });
    await page.goto("/admin/products");
    await mark(page);
    const next = page.getByRole("link", { name: "Next" });
    // Far from the end of the list, which other tests make shorter. A real click would scroll to the link.
    await page.evaluate("scrollTo(0, 300)");
    await next.dispatchEvent("click");
    await page.getByText("21–40 of").waitFor();
    await expect.poll(() => page.evaluate<number>("scrollY")).toBe(0);
    await page.goBack();
    await page.getByText("1–20 of").waitFor();
    expect(pathOf(page)).toBe("/admin/products");
    await expect.poll(() => page.evaluate<number>("scrollY")).toBe(300);
    await page.goForward();
    await page.getByText("21–40 of").waitFor();
    expect(await isMarked(page)).toBe(true);
  });

  it("closes the menu of a narrow screen", async ({ aSignedInPage }) => {
    const page = await aSignedInPage({ viewport: { width: 390, height: 800 } });
    await page.goto("/admin");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("heading", { name: "Events" }).waitFor();
    await page.getByRole("link", { name: "API Manager" }).waitFor({ state: "hidden" });
  });

  it("leads to the sign-in page when the session has ended", async ({ aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin");
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Products" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(pathOf(page)).toBe("/admin/sign-in?next=%2Fadmin%2Fproducts");
    await page.getByRole("link", { name: "Products" }).waitFor({ state: "detached" });
  });
});

it("leads past the menu, into a dialog and back with only the keyboard", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  const { keyboard } = page;
  await page.goto("/admin/products/1");
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("main");
  const opener = page.getByRole("button", { name: "Delete", exact: true }).first();
  const isFocused = (it: Locator) => it.evaluate((element) => element.matches(":focus-visible"));
  for (let tabs = 0; tabs < 10 && !(await isFocused(opener)); tabs++) await keyboard.press("Tab");
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  for (const name of ["Delete", "Not now", "Delete"]) {
    await expect.poll(() => isFocused(dialog.getByRole("button", { name, exact: true }))).toBe(true);
    await keyboard.press("Tab");
  }
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await isFocused(opener)).toBe(true);
});

it("filters apply as soon as they are chosen, and keep the focus", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products?page=2");
  await mark(page);
  await page.getByLabel("Status").focus();
  await page.getByLabel("Status").selectOption("draft");
  await page.waitForURL("/admin/products?status=draft");
  await page.getByRole("link", { name: "Clear" }).waitFor();
  await expect.poll(() => focused(page)).toBe("admin-products-status");
  await expect.poll(() => page.getByLabel("Status").inputValue()).toBe("draft");
  expect(await isMarked(page)).toBe(true);
});

it("keeps a part of an order open that was unfolded before its total arrived", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/orders/new");
  await page.getByLabel("Payment", { exact: true }).selectOption("true");
  await page.getByRole("heading", { name: "Discount and tax" }).click();
  await page.getByText("The total is up to date").waitFor();
  expect(await page.getByLabel("Discount in percent").isVisible()).toBe(true);
});

describe("a form", () => {
  it("that is refused keeps typed values and focuses the error, and confirms the corrected one", async ({
    aSignedInPage,
  }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/categories");
    await mark(page);
    await page.getByLabel("Name").fill("Swapped pages");
    await page.getByLabel("Web address").fill("no slug!");
    await page.getByRole("button", { name: "Create category" }).click();
    await page.getByRole("alert").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.className")).toContain("notice");
    expect(await page.getByLabel("Name").inputValue()).toBe("Swapped pages");
    expect(await page.getByLabel("Web address").getAttribute("aria-invalid")).toBe("true");
    expect(pathOf(page)).toBe("/admin/categories");
    await page.getByLabel("Web address").fill("swapped-pages");
    await page.getByRole("button", { name: "Create category" }).click();
    await page.getByRole("status").filter({ hasText: "Swapped pages" }).waitFor();
    expect(await isMarked(page)).toBe(true);
  });

  it("is sent once, however often its button is pressed", async ({ aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/categories");
    let sent = 0;
    const pressed = Promise.withResolvers<void>();
    await page.route("/admin/categories", async (route) => {
      if (route.request().method() === "POST") sent++;
      await pressed.promise;
      await route.continue();
    });
    await page.getByLabel("Name").fill("Pressed twice");
    await page.getByLabel("Name").press("Enter");
    await page.keyboard.press("Enter");
    pressed.resolve();
    await page.getByRole("status").filter({ hasText: "Pressed twice" }).waitFor();
    expect(sent).toBe(1);
  });

  it("without a response is not repeated automatically, and says so next to the typed values", async ({
    browser,
    session,
  }) => {
    const context = await browser.newContext({ storageState: session });
    const page = await context.newPage();
    await page.goto("/admin/categories");
    let sent = 0;
    await page.route("/admin/categories", (route) => {
      sent++;
      return route.abort();
    });
    await page.getByLabel("Name").fill("Lost on the way");
    await page.getByRole("button", { name: "Create category" }).click();
    await page.getByRole("alert").filter({ hasText: "No answer came" }).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Lost on the way");
    expect(sent).toBe(1);
    await page.unroute("/admin/categories");
    await page.getByRole("button", { name: "Create category" }).click();
    await page.getByRole("status").filter({ hasText: "Lost on the way" }).waitFor();
    await context.close();
  });
});

describe.each([
  ["with script", true],
  ["without script", false],
])("a question %s", (_, javaScriptEnabled) => {
  it("is asked before anything is destroyed, and stays open when its answer is refused", async ({ aSignedInPage }) => {
    const page = await aSignedInPage({ javaScriptEnabled });
    await page.goto("/admin/categories");
    await page.getByRole("cell").getByRole("link").first().click();
    const ask = page.getByRole("button", { name: "Delete", exact: true });
    await ask.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Move these first").waitFor();
    await dialog.getByRole("button", { name: "Not now" }).click();
    await dialog.waitFor({ state: "hidden" });
    await ask.click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("alert").waitFor();
  });
});
