import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../browser/it.ts";

const LAPTOP = { width: 1366, height: 768 };

it.for([
  ["with script", true],
  ["without script", false],
] as const)(
  "hides no entry on a laptop, and shows where one is, %s",
  async ([, javaScriptEnabled], { aSignedInPage }) => {
    const page = await aSignedInPage({ viewport: LAPTOP, javaScriptEnabled });
    // The section with the most entries below it.
    await page.goto("/admin/files");
    await expectInView(page);
    expect(await currentOf(page)).toEqual([
      ["Products", "true"],
      ["Files", "page"],
    ]);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("Skip to content");
    await page.locator("#menu").getByText("Settings", { exact: true }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByRole("heading", { name: "Audit log" }).waitFor();
    await page.waitForLoadState();
    await expectInView(page);
    expect(await currentOf(page)).toEqual([["Settings", "true"]]);
  },
);

it("keeps the menu's scroll position", async ({ aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: { width: 1280, height: 420 } });
  // A section without entries below it, so that the menu keeps its height.
  await page.goto("/admin/discounts");
  const scrolled = () => page.evaluate<number>("document.querySelector('.sections').scrollTop");
  await page.locator("#menu").getByText("Webhooks").scrollIntoViewIfNeeded();
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  await page.locator("#menu").getByText("Webhooks").click();
  await page.getByRole("heading", { name: "Webhooks" }).waitFor();
  await expect.poll(scrolled).toBe(before);
});

/** Names of the entries marked as current. */
const currentOf = (page: Page): Promise<[string, string][]> =>
  page
    .locator("#menu [aria-current]")
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute("aria-current")]));

/** Entries outside the window, or outside the scrolling part of the menu. */
const HIDDEN = `[...document.querySelectorAll("#menu :is(a, button)")].filter((entry) => {
  const { top, bottom, height } = entry.getBoundingClientRect();
  const box = entry.closest(".sections, #menu").getBoundingClientRect();
  return height > 0 && (top < box.top || bottom > Math.min(box.bottom, innerHeight));
}).map((entry) => entry.textContent)`;

async function expectInView(page: Page): Promise<void> {
  expect(await page.evaluate(HIDDEN)).toEqual([]);
  expect(await page.locator("#menu :is(a, button):visible").count()).toBeGreaterThan(10);
}
