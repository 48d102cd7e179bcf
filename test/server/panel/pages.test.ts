import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sections, settingGroups } from "../../../src/panel/sections.ts";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look, OTHER_VIEWS } from "../browser/look.ts";

/** Pages of rows that other tests delete, and check themselves, and files. */
const FLEETING = /^\/admin\/(tax-rates|uploads)\/\d|\/csv(\?|$)/;

/**
 * The kind of a page. Pages of two products are of one kind, and so are pages of two e-mail templates, the texts of two
 * pages of the shop, and a list with different filters.
 */
const kindOf = (path: string): string =>
  path.replace(/\/(\d+|(?<=templates\/)\w+|(?<=pages\/)\w+\/\w+)/g, "/one").replace(/[?#].*/, "");

it("has no faults in any linked page", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await makeDiscount(page);
  const looked = new Set<string>();
  const files = filesOf(page);
  const measured: Record<string, Cost> = {};
  const waiting: string[] = ["/admin"];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    if (looked.has(kind)) continue;
    looked.add(kind);
    const response = await page.goto(path);
    const html = gzipSync((await response?.body()) ?? "").length / 1000;
    await look(page, kind.slice(1).replaceAll("/", "-"));
    measured[kind] = { html, files: files() };
    waiting.push(...(await linksOf(page)).filter((link) => !FLEETING.test(link)));
  }
  const paths = [
    ...sections
      .flatMap(({ path, pages = [] }) => [path, ...pages.map((page) => page.path)])
      .filter((path) => path.startsWith("/admin")),
    ...settingGroups.flatMap(({ cards }) => cards.map(({ path }) => path.replace(/\?.*/, ""))),
    "/admin/emails/templates",
    "/admin/emails/templates/one",
    ...["discounts", "files", "packages"].map((rows) => `/admin/${rows}/one`),
  ];
  expect([...looked]).toEqual(expect.arrayContaining(paths));
  for (const [kind, { kilobytes, requests }] of documented()) {
    const { html = Number.NaN, files } = measured[kind] ?? {};
    expect.soft([kind, files, html <= kilobytes], `${kind} has ${html} kB`).toEqual([kind, requests, true]);
  }
});

/** Size of the HTML in kB, compressed, and number of files. */
type Cost = { html: number; files: number };

/** Counts the page and its script and style files since the last call. */
function filesOf(page: Page): () => number {
  let files = 0;
  page.on("request", (request) => {
    if (["document", "script", "stylesheet"].includes(request.resourceType())) files++;
  });
  return () => {
    const counted = files;
    files = 0;
    return counted;
  };
}

/** Size and requests of each kind of page, from the table in docs/panel.md. */
const documented = (): [kind: string, { kilobytes: number; requests: number }][] =>
  [
    ...readFileSync("docs/panel.md", "utf8").matchAll(
      /^\| [\w ]+ \| `(\/admin[^`]*)` \| ([\d.]+) \| (\d+) \| \d \|$/gm,
    ),
  ].map(([, kind = "", kilobytes, requests]) => [kind, { kilobytes: Number(kilobytes), requests: Number(requests) }]);

it("has no faults in either theme in elements of a single width", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  for (const path of ["/admin/products", "/admin/orders/1000"]) {
    await page.goto(path);
    await look(page, path.slice(1).replaceAll("/", "-"), { views: OTHER_VIEWS });
  }
});

it("has no faults in an empty list", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products?search=nothing-is-called-so");
  await look(page, "admin-products-none");
});

it("wraps words that are longer than the window", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products/new");
  await page.getByLabel("Description", { exact: true }).fill("Donaudampfschifffahrtsgesellschaft".repeat(6));
  await look(page, "admin-products-long-word", { views: OTHER_VIEWS });
});

/** Creates a discount, because the demo shop has none. The form shows only the fields of the chosen kind. */
async function makeDiscount(page: Page): Promise<void> {
  await page.goto("/admin/discounts/new");
  await page.getByLabel("Name").fill("Three for two");
  // Without a code, the discount would lower prices in other tests.
  await page.getByLabel("Code").first().fill("THREE-FOR-TWO");
  await page.getByLabel("Kind").selectOption("Buy X, get Y");
  await page.getByLabel("Units to buy").fill("2");
  await page.getByLabel("Units to get").fill("1");
  await page.getByLabel("Amount", { exact: true }).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Create discount" }).click();
  await page.getByText("Three for two was created").waitFor();
  await page.getByText("Buy 2, get 1 free").waitFor();
}

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    "[...document.querySelectorAll('a[href^=\"/admin\"]:not([download], [data-plain] a, [href$=\"/export\"])')].map((link) => link.getAttribute('href'))",
  );
