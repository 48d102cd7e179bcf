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

const FIRST: View = { width: WINDOW.width, colorScheme: "light" };

/** 640 pixels are what 1280 have at twice their size. Phones come more often, because there less has room. */
const OTHERS: View[] = (
  [
    [390, "dark"],
    [640, "light"],
    [390, "light"],
    [768, "dark"],
    [390, "dark"],
    [1024, "light"],
    [390, "light"],
    [1680, "dark"],
    [390, "dark"],
    [640, "dark"],
    [390, "light"],
    [768, "light"],
    [390, "dark"],
    [1024, "dark"],
    [390, "light"],
    [1680, "light"],
    [1280, "dark"],
  ] as const
).map(([width, colorScheme]) => ({ width, colorScheme, rules: OF_APPEARANCE }));

/**
 * Every page has two views: themes differ in their colours alone, widths in what is shown and where. The second follows from the
 * page's name, so that each combination is looked at on several pages.
 */
function viewsOf(name: string): View[] {
  const sum = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const other = OTHERS[sum % OTHERS.length];
  return other ? [FIRST, other] : [FIRST];
}

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
export async function look(
  page: Page,
  name: string,
  { forgiven = [], views = viewsOf(name) }: Looking = {},
): Promise<void> {
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
 * Lists the faults of a page's markup in words. axe comes in through the debugger, which stands outside of the page's
 * Content-Security-Policy, so that the policy stays on and what is looked at is what an administrator is sent. Sticky bars
 * stand at their place meanwhile: what they cover can be scrolled free.
 */
export async function flawsOf(page: Page, forgiven: string[] = [], runOnly?: string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await bringAxe(page);
  const rules = Object.fromEntries(forgiven.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules, runOnly });
  const violations = await page.evaluate<Result[]>(`(async () => {
    const bars = [...document.querySelectorAll("body *")].filter((bar) => getComputedStyle(bar).position === "sticky");
    for (const bar of bars) bar.style.position = "static";
    const { violations } = await axe.run(${options});
    for (const bar of bars) bar.style.position = "";
    return violations;
  })()`);
  const flaws = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(" ")}: ${failureSummary}`),
  );
  const overflow = await page.evaluate<number>("document.scrollingElement.scrollWidth - innerWidth");
  if (overflow > 0) flaws.push(`It is ${overflow} pixels wider than the window`);
  return [...flaws, ...(await page.evaluate<string[]>(CUT_OFF))];
}

/** Controls that end outside of the window, where nothing scrolls to them. */
const CUT_OFF = `[...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea, summary")]
  .filter((control) => {
    const { left, right, width } = control.getBoundingClientRect();
    if (width <= 1 || (left >= -0.5 && right <= innerWidth + 0.5)) return false;
    if (!control.checkVisibility({ visibilityProperty: true })) return false;
    for (let around = control.parentElement; around; around = around.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(around).overflowX)) return false;
    return true;
  })
  .map((control) => "It is cut off: " + control.outerHTML.slice(0, 200))`;
