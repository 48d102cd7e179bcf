import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Pictures of the faults in the last run. With SCREENSHOTS=1, pictures of each page in every theme and width. Ignored
 * by git.
 */
export const SCREENSHOTS = ".screenshots";
const ofAll = process.env.SCREENSHOTS === "1";

/** Each page parses the script again. The minified one is half as long. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Default window size of a test. The first view then needs no new layout. */
export const WINDOW = { width: 1280, height: 800 };

/** A window size, a theme, and the axe rules to check. All rules by default. */
type View = { width: number; colorScheme: "light" | "dark"; rules?: string[] };

/** Rules about layout, and about colours, which cost half of all. All others give the same result in every view. */
const OF_LAYOUT = ["scrollable-region-focusable", "target-size"];
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

const FIRST: View = { width: WINDOW.width, colorScheme: "light" };

/**
 * 640 pixels correspond to a 1280-pixel window at 200 % zoom. Phones are chosen more often because they have less room.
 */
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
).map(([width, colorScheme]) => ({
  width,
  colorScheme,
  // The first view has checked the light colours.
  rules: colorScheme === "light" ? OF_LAYOUT : [...OF_LAYOUT, ...OF_COLOURS],
}));

/**
 * Every page has two views, because themes differ only in colours, and widths only in layout. The page's name chooses
 * the second, so that each combination is checked on several pages.
 */
function viewsOf(name: string): View[] {
  const sum = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const other = OTHERS[sum % OTHERS.length];
  return other ? [FIRST, other] : [FIRST];
}

/** Views for elements that appear at one width only, such as the phone's bar and the heads of tables. */
export const OTHER_VIEWS: View[] = [
  { width: 1280, colorScheme: "dark", rules: OF_COLOURS },
  { width: 390, colorScheme: "light" },
];

/** Views of a page that another test looks at, with words of unusual length. */
export const LENGTH_VIEWS: View[] = [WINDOW.width, 390].map((width) => ({
  width,
  colorScheme: "light",
  rules: OF_LAYOUT,
}));

/** The panel's open dialog. */
export const DIALOG = "dialog:popover-open";

type Looking = {
  /** axe rules to skip because third-party content on the page breaks them. */
  forgiven?: string[];
  views?: View[];
  /** The part that is new in a page that another test looks at. axe checks nothing else. */
  within?: string;
};

/** Checks the page's current state in these views. On a fault, the test goes on and a picture is saved. */
export async function look(
  page: Page,
  name: string,
  { forgiven = [], views = viewsOf(name), within = "html" }: Looking = {},
): Promise<void> {
  const viewport = page.viewportSize();
  const flaws: Record<string, string[]> = {};
  for (const { width, colorScheme, rules } of views) {
    await page.emulateMedia({ colorScheme });
    await resize(page, { width, height: WINDOW.height });
    const found = await flawsOf(page, forgiven, rules, within);
    flaws[`${name}, ${colorScheme}, ${width} wide`] = found;
    if (ofAll || found.length > 0) await picture(page, `${name}-${colorScheme}-${width}`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (viewport) await resize(page, viewport);
  expect.soft(Object.entries(flaws).filter(([, found]) => found.length > 0)).toEqual([]);
}

/** Resizes the window. The next frame applies the new layout or theme to the page. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  if (!isDeepStrictEqual(page.viewportSize(), size)) await page.setViewportSize(size);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))");
}

/** Takes a picture of the whole page in a window of the page's height, so that full-height elements are not cut off. */
export async function picture(page: Page, name: string): Promise<void> {
  const viewport = page.viewportSize();
  const height = await page.evaluate<number>("document.scrollingElement.scrollHeight");
  if (viewport) await page.setViewportSize({ ...viewport, height });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  if (viewport) await page.setViewportSize(viewport);
}

/**
 * Uses a command of its own: Chromium has compiled the script for an earlier page, and `page.evaluate` would compile it
 * again.
 */
async function bringAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  await session.detach();
}

/**
 * Lists the faults of a page's markup. axe is added through the debugger, so that the page's Content-Security-Policy
 * stays on and administrators' real pages are checked. Sticky bars are made static meanwhile, because what they cover
 * can be scrolled into view.
 */
export async function flawsOf(
  page: Page,
  forgiven: string[] = [],
  runOnly?: string[],
  within = "html",
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await bringAxe(page);
  const rules = Object.fromEntries(forgiven.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules, runOnly });
  const violations = await page.evaluate<Result[]>(`(async () => {
    const bars = [...document.querySelectorAll("body *")].filter((bar) => getComputedStyle(bar).position === "sticky");
    for (const bar of bars) bar.style.position = "static";
    const { violations } = await axe.run(${JSON.stringify(within)}, ${options});
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

/** Controls that extend beyond the window where nothing scrolls to them. */
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
