import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { delayResponse } from "../browser/delay-response.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

it("offers suggestions while typing, chosen by the keyboard or by a click", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/discounts/new");
  const field = page.getByRole("combobox", { name: "Products" });
  const options = page.getByRole("listbox").getByRole("option");
  await field.fill("notebook");
  await options.nth(1).waitFor();
  await expect.poll(() => field.getAttribute("aria-expanded")).toBe("true");
  await page.getByText(/^\d+ found$/).waitFor({ state: "attached" });
  await page.keyboard.press("ArrowUp");
  const active = () => field.getAttribute("aria-activedescendant");
  await expect.poll(active).toBe(await options.last().getAttribute("id"));
  await page.keyboard.press("ArrowDown");
  await expect.poll(active).toBe(await options.first().getAttribute("id"));
  await look(page, "picker");
  const first = String(await options.first().textContent());
  await page.keyboard.press("Enter");
  const chosen = page.locator(".chip");
  await expect.poll(() => chosen.allTextContents()).toEqual([first]);
  // Clicking an option keeps the focus in the field. insertText types all at once, so that no search runs for the
  // first letters.
  await page.keyboard.insertText("notebook");
  await options.nth(1).click();
  await expect.poll(() => chosen.count()).toBe(2);
  await page.keyboard.insertText("notebook");
  await options.first().waitFor();
  await page.keyboard.press("Escape");
  await options.first().waitFor({ state: "hidden" });
  expect(await field.inputValue()).toBe("notebook");
  await field.fill("");
  await look(page, "picker-chosen");
  await page.getByLabel(first).uncheck();
  await page.getByLabel("Name").fill("Notebooks");
  // Without a code, the discount would lower prices in other tests.
  await page.getByLabel("Code").first().fill("NOTEBOOKS");
  await page.getByLabel("Percent off").fill("10");
  await page.getByRole("button", { name: "Create discount" }).click();
  await page.getByText("Notebooks was created").waitFor();
  await expect.poll(() => chosen.count()).toBe(1);
  await page.goto("/admin/transactions");
  await page.getByRole("combobox", { name: "Customer" }).fill("customer");
  await options.first().click();
  await page.waitForURL(/user_id=\d+$/);
  // `uncheck` would wait for the box's new state, but the resulting page has no such box.
  await page.getByRole("checkbox", { name: "Casey Customer", checked: true }).click();
  await page.waitForURL("**/admin/transactions");
  await page.locator("summary", { hasText: "Export" }).click();
  await look(page, "transactions-export");
});

it("does not send the form while a typed value is not chosen", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/discounts/new");
  await page.getByLabel("Name").fill("Not yet");
  await page.getByLabel("Code").first().fill("NOT-YET");
  await page.getByLabel("Percent off").fill("10");
  const field = page.getByRole("combobox", { name: "Products" });
  await field.fill("notebook");
  await page.keyboard.press("Enter");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  expect([new URL(page.url()).pathname, await field.inputValue()]).toEqual(["/admin/discounts/new", "notebook"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".chip").count()).toBe(1);
});

describe("a response that arrives late", () => {
  it("does not move an element that is being pressed", async ({ aSignedInPage }) => {
    const { page, options, chosen, answer } = await offered(await aSignedInPage());
    const second = String(await options.nth(1).textContent());
    await options.nth(1).hover();
    await page.mouse.down();
    await answer();
    await page.mouse.up();
    await expect.poll(() => chosen.allTextContents()).toEqual([second]);
  });

  it("shows no suggestions once something was chosen", async ({ aSignedInPage }) => {
    const { page, options, chosen, answer } = await offered(await aSignedInPage());
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => chosen.count()).toBe(1);
    await answer();
    expect(await options.count()).toBe(0);
  });
});

/** A field that shows notebooks while lamps are being searched for. `answer` lets the lamps arrive. */
async function offered(page: Page) {
  await page.goto("/admin/discounts/new");
  const field = page.getByRole("combobox", { name: "Products" });
  const options = page.getByRole("listbox").getByRole("option");
  await field.fill("notebook");
  await options.nth(1).waitFor();
  const answer = await delayResponse(page, "**/admin/pick?*q=lamp", () => field.fill("lamp"));
  return { page, options, chosen: page.locator(".chip"), answer };
}
