import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../browser/it.ts";

const LAPTOP = { width: 1280, height: 720 };

it.for([
  ["with script", true],
  ["without script", false],
] as const)("shows on a laptop where one is and the way out, %s", async ([, javaScriptEnabled], { aSignedInPage }) => {
  const page = await aSignedInPage({ viewport: LAPTOP, javaScriptEnabled });
  await page.goto("/admin/audit-log");
  await expectInView(page, "Audit log");
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to content");
  await page.locator("#menu").getByText("Overview", { exact: true }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  // Until the style sheet is there, the heading is on the page, but the menu is a closed popover.
  await page.waitForLoadState();
  await expectInView(page, "Overview");
});

/** The entry is within what the sections show, and the button below them within the window. */
async function expectInView(page: Page, entry: string): Promise<void> {
  const sections = await spanOf(page.locator(".sections"));
  const current = await spanOf(page.locator("#menu [aria-current]", { hasText: entry }));
  const signOut = await spanOf(page.getByRole("button", { name: "Sign out" }));
  expect(current.top).toBeGreaterThanOrEqual(sections.top);
  expect(current.bottom).toBeLessThanOrEqual(sections.bottom);
  expect(signOut.top).toBeGreaterThanOrEqual(sections.bottom);
  expect(signOut.bottom).toBeLessThanOrEqual(LAPTOP.height);
}

async function spanOf(what: Locator): Promise<{ top: number; bottom: number }> {
  const { y = Number.NaN, height = Number.NaN } = (await what.boundingBox()) ?? {};
  return { top: y, bottom: y + height };
}
