import { join } from "node:path";
import axe, { type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Pictures of what was wrong in the last run; with SCREENSHOTS=1 of each page in each theme and width. Outside of git. */
export const SCREENSHOTS = ".screenshots";
const ofAll = process.env.SCREENSHOTS === "1";

const THEMES = ["light", "dark"] as const;
const WIDTHS = [1280, 390];

/** Rules of axe. Themes differ in their colours alone, so that the second one is asked for nothing else. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Nothing is wrong with the page as it now stands, in any theme or width. The test goes on, and a picture shows what is wrong.
 * `forgiven` are rules of axe that a page breaks with what is not of our making.
 */
export async function look(page: Page, name: string, forgiven: string[] = []): Promise<void> {
  const viewport = page.viewportSize();
  const flaws: Record<string, string[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // A page that changes its theme by script is told of it with the next frame.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
      const asked = colorScheme === "light" ? {} : { runOnly: OF_COLOURS };
      const found = await flawsOf(page, forgiven, asked);
      flaws[`${name}, ${colorScheme}, ${width} wide`] = found;
      if (ofAll || found.length > 0) await picture(page, `${name}-${colorScheme}-${width}`);
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
export async function flawsOf(page: Page, forgiven: string[] = [], asked: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const rules = Object.fromEntries(forgiven.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules, ...asked });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  const flaws = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}: ${failureSummary}`),
  );
  const overflow = await page.evaluate<number>("document.scrollingElement.scrollWidth - innerWidth");
  if (overflow > 0) flaws.push(`It is ${overflow} pixels wider than the window`);
  return flaws;
}
