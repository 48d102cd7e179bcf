import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Pictures of what was wrong in the last run; with SCREENSHOTS=1 of each page in each theme and width. Outside of git. */
export const SCREENSHOTS = ".screenshots";
const ofAll = process.env.SCREENSHOTS === "1";

/** Every page reads it anew: minified it is half as long. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The window of a test that asks for no other. Its first look need not lay the page out again. */
export const WINDOW = { width: 1280, height: 800 };

/** A window, the theme that its page is shown in, and the rules of axe that are asked for: all of them, unless it says which. */
type View = { width: number; colorScheme: "light" | "dark"; rules?: string[] };

/** Rules that depend on where things are and on their colours; the others read the same document in every view. */
const OF_APPEARANCE = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/** Themes differ in their colours alone, widths in what is shown and where: two views show in both what both widths have. */
const VIEWS: View[] = [
  { width: WINDOW.width, colorScheme: "light" },
  { width: 390, colorScheme: "dark", rules: OF_APPEARANCE },
];

/** For what one width alone shows, such as the bar of a phone and the heads of tables: all pages have the same. */
export const OTHER_VIEWS: View[] = [
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
  for (const { width, colorScheme, rules } of views) {
    await page.emulateMedia({ colorScheme });
    await resize(page, { width, height: WINDOW.height });
    const found = await flawsOf(page, forgiven, rules);
    flaws[`${name}, ${colorScheme}, ${width} wide`] = found;
    if (ofAll || found.length > 0) await picture(page, `${name}-${colorScheme}-${width}`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (viewport) await resize(page, viewport);
  expect.soft(Object.entries(flaws).filter(([, found]) => found.length > 0)).toEqual([]);
}

/** Gives the window another size. A page is laid out for it, and told of another theme, with the next frame. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  if (!isDeepStrictEqual(page.viewportSize(), size)) await page.setViewportSize(size);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
}

/** The whole page in a window of its height, so that what is as high as the window is not cut off in its middle. */
export async function picture(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize();
  const height = await page.evaluate<number>("document.scrollingElement.scrollHeight");
  if (viewport) await page.setViewportSize({ ...viewport, height });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  if (viewport) await page.setViewportSize(viewport);
}

/** By a command of its own: the browser has compiled the script for an earlier page, and `page.evaluate` would do so again. */
async function bringAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  await session.detach();
}

/**
 * What is wrong with how a page is made, in words. axe comes in through the debugger, which stands outside of the page's
 * Content-Security-Policy, so that the policy stays on and what is looked at is what an administrator is sent.
 */
export async function flawsOf(page: Page, forgiven: string[] = [], runOnly?: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await bringAxe(page);
  const rules = Object.fromEntries(forgiven.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules, runOnly });
  const violations = await page.evaluate<Result[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  const flaws = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}: ${failureSummary}`),
  );
  const overflow = await page.evaluate<number>("document.scrollingElement.scrollWidth - innerWidth");
  if (overflow > 0) flaws.push(`It is ${overflow} pixels wider than the window`);
  return flaws;
}
