import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

type Operations = Record<string, Record<string, { operationId: string }>>;
const document: { tags: { name: string }[]; paths: Operations; webhooks: Operations } = JSON.parse(
  readFileSync("public/openapi.json", "utf8"),
);

/** Rules of axe that the viewer's own markup breaks, whatever is shown in it. */
const OF_THE_VIEWER = ["heading-order", "nested-interactive", "region", "scrollable-region-focusable", "select-name"];

/** A page is scrolled through in many short steps. */
const POLLED = { interval: 10, timeout: 60_000 };

/** Every host that a page asks, from now on. */
function hostsAskedBy(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  return hosts;
}

it("shows every operation of the document", LONG, async ({ aPage }) => {
  const page = await aPage();
  await page.goto("/docs");
  await page.locator(".opblock").first().waitFor();
  const described = Object.values({ ...document.paths, ...document.webhooks });
  const operations = described.flatMap((methods) => Object.values(methods));
  const [tags, ids] = [new Set<string | undefined>(), new Set<string>()];
  // Of so long a page the viewer draws what is near the window.
  const scrolledTo = async () => {
    for (const tag of await page.locator(".opblock-tag").evaluateAll((all) => all.map((one) => one.dataset.tag)))
      tags.add(tag);
    for (const id of await page.locator(".opblock").evaluateAll((all) => all.map((one) => one.id))) ids.add(id);
    const atEnd = await page.evaluate<boolean>("innerHeight + scrollY > document.documentElement.scrollHeight - 2");
    await page.mouse.wheel(0, atEnd ? -1_000_000 : 300);
    return [[...tags], ids.size];
  };
  await expect.poll(scrolledTo, POLLED).toEqual([document.tags.map(({ name }) => name), operations.length]);
});

it("sends what is tried to this deployment alone", LONG, async ({ aPage, shop }) => {
  const page = await aPage();
  const hosts = hostsAskedBy(page);
  await page.goto("/docs");
  await page.locator(".opblock").first().waitFor();
  await page.getByRole("button", { name: "Authorize" }).click();
  await page.getByRole("textbox", { name: "auth-bearer-value" }).first().fill(shop.api_keys.standard);
  await page.getByRole("button", { name: "Apply credentials" }).first().click();
  await page.getByRole("button", { name: "Close" }).first().click();
  await page.getByPlaceholder("Filter by tag").fill("Products");
  await page.locator('[data-tag="Admin: products"]').waitFor();
  const products = page.locator("#operations-Products-listProducts");
  await products.locator(".opblock-summary-control").click();
  await products.getByRole("button", { name: "Try it out" }).click();
  await products.getByRole("row", { name: "per_page" }).getByRole("textbox").fill("1");
  await products.getByRole("button", { name: "Execute" }).click();
  const answer = products.locator(".live-responses-table .response");
  await answer.getByText('"current_page": 1').waitFor();
  expect(await answer.locator(".response-col_status").textContent()).toContain("200");
  await look(page, "reference", OF_THE_VIEWER);

  expect([...hosts]).toEqual([new URL(shop.base_url).origin]);
  expect(await page.evaluate<number>("localStorage.length + sessionStorage.length")).toBe(0);
});
