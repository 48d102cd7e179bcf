import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** One picture of each page, theme and width of the last run. Outside of git. */
export const SCREENSHOTS = ".screenshots";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390];

/** Nothing is wrong with the page as it now stands, in any theme or width, and here is how it looks. The test goes on. */
export async function look(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize();
  const flaws: Record<string, string[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      flaws[`${name}, ${colorScheme}, ${width} wide`] = await flawsOf(page);
      await picture(page, `${name}-${colorScheme}-${width}`);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (viewport) await page.setViewportSize(viewport);
  expect.soft(Object.entries(flaws).filter(([, found]) => found.length > 0)).toEqual([]);
}

/** The whole page in a window of its height, so that what is as high as the window is not cut off in its middle. */
export async function picture(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize();
  const height = await page.evaluate<number>("document.scrollingElement.scrollHeight");
  if (viewport) await page.setViewportSize({ ...viewport, height });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  if (viewport) await page.setViewportSize(viewport);
}

/**
 * What is wrong with how a page is made, in words. axe comes in through the debugger, which stands outside of the page's
 * Content-Security-Policy, so that the policy stays on and what is looked at is what an administrator is sent.
 */
export async function flawsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  const flaws = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}: ${failureSummary}`),
  );
  const overflow = await page.evaluate<number>("document.scrollingElement.scrollWidth - innerWidth");
  if (overflow > 0) flaws.push(`It is ${overflow} pixels wider than the window`);
  return flaws;
}
