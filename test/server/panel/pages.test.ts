import type { Page } from "playwright-core";
import { expect } from "vitest";
import { sections } from "../../../src/panel/sections.ts";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

/** The pages of two products are one to look at, and so are those of two e-mails, and a list with one filter or another. */
const kindOf = (path: string): string => path.replace(/\/(\d+|(?<=templates\/)\w+)/g, "/one").replace(/[?#].*/, "");

it("has nothing wrong with any page that links lead to", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await makeDiscount(page);
  const looked = new Set<string>();
  const waiting: string[] = ["/admin"];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    if (looked.has(kind)) continue;
    looked.add(kind);
    await page.goto(path);
    await look(page, kind.slice(1).replaceAll("/", "-"));
    waiting.push(...(await linksOf(page)));
  }
  const paths = [
    ...sections.map(({ path }) => path),
    "/admin/emails/templates",
    "/admin/emails/templates/one",
    "/admin/discounts/one",
  ];
  expect([...looked]).toEqual(expect.arrayContaining(paths));
});

it("has nothing wrong with a list of nothing", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/products?search=nothing-is-called-so");
  await look(page, "admin-products-none");
});

/** The demo shop has none; the form shows the fields of the kind that is chosen, and no others. */
async function makeDiscount(page: Page): Promise<void> {
  await page.goto("/admin/discounts/new");
  await page.getByLabel("Name").fill("Three for two");
  await page.getByLabel("Kind").selectOption("Buy some, get some");
  await page.getByLabel("Units to buy").fill("2");
  await page.getByLabel("Units to get").fill("1");
  expect(await page.getByLabel("Amount", { exact: true }).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Create discount" }).click();
  await page.getByText("Three for two was created").waitFor();
  expect(await page.getByText("Buy 2, get 1 free").isVisible()).toBe(true);
}

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    "[...document.querySelectorAll('a[href^=\"/admin\"]:not([download])')].map((link) => link.getAttribute('href'))",
  );
