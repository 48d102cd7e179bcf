import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Pictures of what was wrong in the last run; with SCREENSHOTS=1 of each page in each theme and width. Outside of git. */
export const SCREENSHOTS = ".screenshots";
const ofAll = process.env.SCREENSHOTS === "1";

/** Every page reads it anew: minified it is half as long. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A window, and the theme that its page is shown in. */
type View = { width: number; colorScheme: "light" | "dark" };

/** Themes differ in their colours alone, widths in what is shown and where: two views show in both what both widths have. */
const VIEWS: View[] = [
  { width: 1280, colorScheme: "light" },
  { width: 390, colorScheme: "dark" },
];

/** What one width alone shows, such as the heads of tables, in its other theme: of any page of a kind, as all have the same. */
export const OTHER_THEMES: View[] = [
  { width: 1280, colorScheme: "dark" },
  { width: 390, colorScheme: "light" },
];

type Looking = {
  /** Rules of axe that a page breaks with what is not of our making. */
  forgiven?: string[];
  views?: View[];
};

/** Nothing is wrong with the page as it now stands, in these views. The test goes on, and a picture shows what is wrong. */
export async function look(page: Page, name: string, { forgiven = [], views = VIEWS }: Looking = {}): Promise<void> {
  const viewport = page.viewportSize();
  const flaws: Record<string, string[]> = {};
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // A page that changes its theme by script is told of it with the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
    const found = await flawsOf(page, forgiven);
    flaws[`${name}, ${colorScheme}, ${width} wide`] = found;
    if (ofAll || found.length > 0) await picture(page, `${name}-${colorScheme}-${width}`);
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
export async function flawsOf(page: Page, forgiven: string[] = []): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const rules = Object.fromEntries(forgiven.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules });
  const violations = await page.evaluate<Result[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  const flaws = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}: ${failureSummary}`),
  );
  const overflow = await page.evaluate<number>("document.scrollingElement.scrollWidth - innerWidth");
  if (overflow > 0) flaws.push(`It is ${overflow} pixels wider than the window`);
  return flaws;
}
