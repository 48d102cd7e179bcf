import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { browsers } from "../browser/browsers.ts";
import { it } from "../browser/it.ts";
import { look, OTHER_VIEWS } from "../browser/look.ts";
import { told } from "../browser/told.ts";
import type { OpenShop } from "../checkout.ts";
import { asAdmin } from "../shopper.ts";

const pathOf = (page: Page) => new URL(page.url()).pathname;
const save = (page: Page) => page.getByRole("button", { name: "Save category" }).click();

let made = 0;

/** Makes a category, and opens the page that edits it. */
async function aCategory(page: Page, shop: OpenShop) {
  const api = await asAdmin(shop);
  const { data } = await api.POST("/api/v1/admin/categories", { body: { name: `Edited by two ${++made}` } });
  const params = { path: { id: data.id } };
  const path = `/admin/categories/${data.id}`;
  await page.goto(path);
  return {
    path,
    rename: (name: string) => api.PUT("/api/v1/admin/categories/{id}", { params, body: { name } }),
    name: async () => (await api.GET("/api/v1/admin/categories/{id}", { params })).data.name,
  };
}

describe.each(browsers)("on %s", (_, options) => {
  /** Only in one browser, because both widths are checked at once. */
  const lookOnce = async (page: Page, name: string) => {
    if (options.javaScriptEnabled) await look(page, name);
  };

  it("an edit that conflicts stays refused until it overwrites", async ({ aSignedInPage, shop }) => {
    const mine = await aSignedInPage(options);
    const category = await aCategory(mine, shop);
    await category.rename(`Theirs ${made}`);

    await mine.getByLabel("Name").fill(`Mine ${made}`);
    await save(mine);
    const refused = mine.getByRole("alert").filter({ hasText: "Someone else saved a change" });
    await refused.waitFor();
    const isTold = () => expect.poll(() => mine.evaluate("document.activeElement.getAttribute('role')")).toBe("alert");
    await isTold();
    const differences = mine.getByRole("table", { name: "What differs" });
    await differences.getByText(`Theirs ${made}`).waitFor();
    await differences.getByText(`Mine ${made}`).waitFor();
    await lookOnce(mine, "conflict");

    for (const send of [() => save(mine), () => mine.getByLabel("Name").press("Enter")]) {
      const answered = mine.waitForResponse((response) => response.request().method() === "POST");
      await send();
      expect((await answered).status()).toBe(412);
      await isTold();
    }
    expect(await category.name()).toBe(`Theirs ${made}`);

    await mine.getByRole("button", { name: "Overwrite with my changes" }).click();
    await told(mine, `Mine ${made} was saved`);
  });

  it("an edit that conflicts is dropped when its page is reloaded", async ({ aSignedInPage, shop }) => {
    const mine = await aSignedInPage(options);
    const category = await aCategory(mine, shop);
    await category.rename(`Stays ${made}`);
    await mine.getByLabel("Name").fill(`Goes ${made}`);
    await save(mine);
    await mine.getByRole("link", { name: "Discard my changes and reload" }).click();
    await mine.getByRole("alert").waitFor({ state: "detached" });
    expect(await mine.getByLabel("Name").inputValue()).toBe(`Stays ${made}`);
  });

  it("typed values survive the end of the session", async ({ aSignedInPage, shop }) => {
    const page = await aSignedInPage(options);
    const { path } = await aCategory(page, shop);
    await page.getByLabel("Name").fill(`Typed late ${made}`);
    await page.context().clearCookies();
    await save(page);
    await page.getByText("Your input is kept").waitFor();
    await lookOnce(page, "session-ended");
    await page.getByLabel("E-mail").fill(shop.admin.email);
    await page.getByLabel("Password").fill(shop.admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Check your input").waitFor();
    expect(pathOf(page)).toBe(path);
    expect(await page.getByLabel("Name").inputValue()).toBe(`Typed late ${made}`);
    await lookOnce(page, "session-resumed");
    await save(page);
    await told(page, `Typed late ${made} was saved`);
  });

  it("a summary of errors leads to the field", async ({ aSignedInPage }) => {
    const page = await aSignedInPage(options);
    await page.goto("/admin/products/new");
    await page.getByLabel("Name").fill("No price");
    await page.getByLabel("SKU").fill("NO-PRICE");
    await page.getByLabel("Price", { exact: false }).first().fill("1.005");
    await page.getByRole("button", { name: "Create product" }).click();
    const refused = page.getByRole("alert").filter({ hasText: "Please correct the following:" });
    await refused.waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('role')")).toBe("alert");
    await refused.getByRole("link", { name: "Price" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("price");
  });
});

it("keeps the summary of a discount up to date while the form is filled in", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/discounts/new");
  const summary = page.locator("section", { has: page.getByRole("heading", { name: "Summary" }) });
  await summary.getByText("Fill in the value").waitFor();
  await page.getByLabel("Percent off").fill("20");
  await page.getByLabel("Minimum subtotal").fill("50");
  await summary.getByText("off everything").waitFor();
  expect(await page.evaluate("document.activeElement.name")).toBe("minimum_subtotal");
  await page.keyboard.press("Tab");
  await summary.getByText("from $50.00").waitFor();
  expect(await page.getByRole("button", { name: "Preview" }).count()).toBe(0);
  await look(page, "discount-preview", { views: OTHER_VIEWS });
});

describe("a form with unsaved changes", () => {
  it("asks before it is left by a link, by going back or by closing the page", async ({ aSignedInPage, shop }) => {
    const page = await aSignedInPage();
    const asked: string[] = [];
    let answer = false;
    const category = await aCategory(page, shop);
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      await (answer ? dialog.accept() : dialog.dismiss());
    });
    const name = await category.name();
    // Reaches the form by links, so that the script returns to this page after saving.
    await page.locator("main").getByRole("link", { name: "Categories" }).click();
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByLabel("Name").fill("Not saved");
    await page.locator("main").getByRole("link", { name: "Categories" }).click();
    await page.goBack();
    await expect.poll(() => pathOf(page)).toBe(category.path);
    expect(await page.getByLabel("Name").inputValue()).toBe("Not saved");
    await page.evaluate("location.assign('/health')");
    await expect.poll(() => asked).toEqual(["confirm", "confirm", "beforeunload"]);
    expect(await page.getByLabel("Name").inputValue()).toBe("Not saved");
    answer = true;
    await page.locator("main").getByRole("link", { name: "Categories" }).click();
    await page.waitForURL("/admin/categories");
  });

  it("shows the bar of each changed form on the page of a product with variants, and asks before the other form loses it", async ({
    aSignedInPage,
  }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/products?search=Linen+Journal");
    const asked: string[] = [];
    page.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      await dialog.dismiss();
    });
    const bars = async () =>
      (await page.locator(".save-bar:visible button").allTextContents()).filter((name) => name.startsWith("Save"));
    await page.locator("main").getByRole("link", { name: "Linen Journal" }).click();
    await page.getByRole("heading", { name: /^8 variants/ }).waitFor();
    await expect.poll(bars).toEqual([]);
    const price = page.locator('.list [name$=".price"]').first();
    await price.fill("99");
    await expect.poll(bars).toEqual(["Save variants"]);
    const name = page.getByLabel("Name");
    await name.fill("Linen Notebook");
    await expect.poll(bars).toEqual(["Save product", "Save variants"]);
    await page.getByRole("button", { name: "Save product" }).click();
    await expect.poll(() => asked).toEqual(["confirm"]);
    expect([await price.inputValue(), await name.inputValue()]).toEqual(["99", "Linen Notebook"]);
  });

  it("asks nothing once it is saved, or was never changed", async ({ aSignedInPage, shop }) => {
    const page = await aSignedInPage();
    await aCategory(page, shop);
    const asked: string[] = [];
    page.on("dialog", async (dialog) => {
      asked.push(dialog.message());
      await dialog.accept();
    });
    await page.getByLabel("Name").fill(`Saved ${made}`);
    await save(page);
    await told(page, "was saved");
    await page.getByRole("navigation").getByRole("link", { name: "Products" }).click();
    await page.waitForURL("/admin/products");
    await page.getByRole("link", { name: "Create product" }).click();
    await page.getByRole("heading", { name: "New product" }).waitFor();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL("/admin/products");
    expect(asked).toEqual([]);
  });
});
