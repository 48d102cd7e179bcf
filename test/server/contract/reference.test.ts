import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, inject } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";

type Operations = Record<string, Record<string, { operationId: string; summary: string }>>;
const document: { paths: Operations; webhooks: Operations } = JSON.parse(readFileSync("public/openapi.json", "utf8"));
const calls = Object.values(document.paths).flatMap(Object.values);
const types = Object.keys(document.webhooks);
const count = calls.length + types.length;

/** Collects every host that a page requests from now on. */
function hostsAskedBy(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  return hosts;
}

const search = (page: Page) => page.getByRole("searchbox", { name: "Search the operations" });

const found = (page: Page) => page.locator("#menu details li:not(.whole):visible a");

it("describes without script where the API is, and all of its operations", LONG, async ({ shop }) => {
  const read = async (path: string) => (await fetch(new URL(path, shop.base_url))).text();
  const quickstart = await read("/docs/");
  expect(quickstart).toContain(`&quot;${shop.base_url}/api/v1/user/products?per_page=3&quot;`);
  expect(quickstart).not.toContain("{origin}");
  expect(quickstart).toContain('href="/openapi.json"');

  const links = [...new Set(Array.from(quickstart.matchAll(/href="(\/docs\/[^"#]*)/g), ([, path = ""]) => path))];
  const pages = new Map(
    await Promise.all(links.map(async (path): Promise<[string, string]> => [path, await read(path)])),
  );
  const titles = (page = "") => Array.from(page.matchAll(/<h2><a href="#([^"]+)">/g), ([, id = ""]) => id);
  const everything = [...calls.map(({ operationId }) => operationId), ...types].toSorted();
  expect([...pages.values()].flatMap(titles).toSorted()).toEqual(everything);
  const [menu = ""] = /<nav id="menu".*?<\/nav>/s.exec(quickstart) ?? [];
  expect(Array.from(menu.matchAll(/href="\/docs\/[^"#]+#([^"]+)"/g), ([, id = ""]) => id).toSorted()).toEqual(
    everything,
  );
  expect(titles(pages.get("/docs/events"))).toEqual(types);
  // Every link on a page has a target.
  const lost = [...pages].flatMap(([path, page]) =>
    Array.from(page.matchAll(/href="(\/docs\/[^"#]*|)#([^"]+)"/g)).flatMap(([, target = "", id = ""]) =>
      pages.get(target || path)?.includes(` id="${id}"`) ? [] : [`${path} links to ${target}#${id}`],
    ),
  );
  expect(lost).toEqual([]);
});

it("tells assistants in llms.txt where the API and the endpoints for agents are", async ({ shop }) => {
  const status = async (path: string) => (await fetch(new URL(path, shop.base_url))).status;
  const text = await (await fetch(new URL("/llms.txt", shop.base_url))).text();
  const paths = Array.from(text.matchAll(/\]\(([^)]+)\)/g), ([, path = ""]) => path);
  const statuses = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await status(path)])));
  // MCP is called by POST.
  const mcp = { "/mcp": 405, "/mcp/admin": 405 };
  expect(statuses).toEqual({ "/openapi.json": 200, "/docs/": 200, "/.well-known/ucp": 200, ...mcp });
});

it("shows a refused request, a fault and an outage as they are answered", async ({ shop }) => {
  const errors = await (await fetch(new URL("/docs/errors", shop.base_url))).text();
  for (const code of ["validation_failed", "internal_error", "service_unavailable"]) {
    expect(errors).toContain(`&quot;code&quot;: &quot;${code}&quot;`);
  }
});

it("finds every operation by words in its description", LONG, async ({ aPage }) => {
  const page = await aPage();
  await page.goto("/docs");
  await search(page).fill("refund ORDER");
  await page
    .locator("#found")
    .getByText(/^\d of/)
    .waitFor();
  expect(await found(page).allTextContents()).toContain("post Refund an order");
  await search(page).fill("users/{id}/credit");
  await search(page).press("Enter");
  await page.waitForURL(/\/docs\/admin-users#creditWallet$/);
  await page.keyboard.press("/");
  await search(page).fill("no such words");
  await page.locator("#found").getByText(`0 of ${count} operations`).waitFor();
  expect(await found(page).count()).toBe(0);
});

it("shows code for each call before it is sent, in the chosen language", LONG, async ({ aPage, shop }) => {
  const page = await aPage();
  const hosts = hostsAskedBy(page);
  await page.goto("/docs/admin-orders#createRefund");
  const refund = page.locator("#createRefund");
  await refund.getByText("curl", { exact: true }).waitFor();
  await refund.getByRole("radio", { name: "TypeScript client" }).check();
  await page.goto("/docs/products#listProducts");
  const list = page.locator("#listProducts");
  await list.locator(".tabs").getByRole("button", { name: "Copy" }).click();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied).toContain(`baseUrl: "${shop.base_url}"`);
  expect(copied).toContain('shop.GET("/api/v1/user/products")');
  await look(page, "reference");

  await page.getByLabel("API key or token").fill(shop.api_keys.standard);
  await page.reload();
  await list.getByRole("button", { name: "Try it" }).click();
  await list.getByLabel("per_page").fill("1");
  await list.getByRole("combobox", { name: "sort" }).selectOption("name");
  await list.getByText('query: { per_page: 1, sort: "name" }').waitFor();
  await list.getByRole("button", { name: "Send" }).click();
  await list.locator(".result").getByText('"current_page": 1').waitFor();
  expect(await list.locator(".result .status").textContent()).toBe("200");
  await look(page, "reference-tried");

  expect([...hosts]).toEqual([new URL(shop.base_url).origin]);
  expect(await page.evaluate<string>("JSON.stringify(localStorage)")).not.toContain(shop.api_keys.standard);
  await page.getByLabel("API key or token").fill("");
  await expect.poll(() => page.evaluate<number>("sessionStorage.length")).toBe(0);
});

it("shows errors in place, and events that nobody can send", LONG, async ({ aPage }) => {
  const page = await aPage({ javaScriptEnabled: false });
  await page.goto("/docs/orders#createOrder");
  await page.locator("#createOrder").getByRole("button", { name: "503" }).click();
  await page.locator("#error-503").getByText("service_unavailable").waitFor();

  const withScript = await aPage();
  await withScript.goto("/docs/events#order.paid");
  const event = withScript.locator('[id="order.paid"]');
  await event.getByText('"type": "order.paid"').waitFor();
  expect(await event.getByRole("button", { name: "Try it" }).count()).toBe(0);
  expect(await event.getByText("POST").count()).toBe(0);
  await look(withScript, "reference-events");
  await withScript.goto("/docs/conventions");
  await look(withScript, "reference-conventions");
});

it("leads from a menu to an operation on a phone", LONG, async ({ aPage }) => {
  const page = await aPage({ viewport: { width: 390, height: 800 } });
  await page.goto("/docs/orders");
  await page.getByRole("button", { name: "Search operations" }).click();
  expect(await page.evaluate<string>("document.activeElement.id")).toBe("search");
  await search(page).fill("cancel order");
  await page.locator("#menu").getByRole("link", { name: "Cancel an order" }).click();
  await page.waitForURL(/#cancelMyOrder$/);
  await search(page).waitFor({ state: "hidden" });
  await expect.poll(() => page.locator("#cancelMyOrder").boundingBox()).toMatchObject({ width: expect.any(Number) });
  const { y = Number.NaN } = (await page.locator("#cancelMyOrder").boundingBox()) ?? {};
  expect(y).toBeLessThan(200);
  const wide = "[...document.querySelectorAll('pre')].filter((code) => code.scrollWidth > code.clientWidth).length";
  expect(await page.evaluate<number>(wide)).toBe(0);
});

it("finds an operation by its name alone, from any page", LONG, async ({ aPage }) => {
  const page = await aPage();
  for (const start of ["/docs", "/docs/products"]) {
    await page.goto(`${start}#cancelMyOrder`);
    await page.waitForURL(/\/docs\/orders#cancelMyOrder$/);
  }
});

it("starts with commands that work as printed", LONG, async ({ aPage, shop }) => {
  const page = await aPage();
  await page.goto("/docs");
  await look(page, "reference-quickstart");
  const [curl = [], client = []] = await Promise.all(
    ["curl", "TypeScript client"].map((name) => page.locator(`figure:has-text("${name}") code`).allTextContents()),
  );
  const mine = (lines: string[]) => lines.join("\n").replaceAll("ada@", `ada-${crypto.randomUUID()}@`);
  const { folder } = inject("shop");
  const env = { ...process.env, KEY: shop.api_keys.standard };

  const file = join(folder, "quickstart.ts");
  writeFileSync(file, `${mine(client)}\nconsole.log(data.length, quote.subtotal > 0, order.status);\n`);
  expect(execFileSync(process.execPath, [file], { cwd: folder, env, encoding: "utf8" })).toBe("3 true pending\n");
  rmSync(file);

  const token = `TOKEN=$(${curl[1]?.split("\nTOKEN")[0]} | node -p "JSON.parse(require('fs').readFileSync(0)).data.token")`;
  const price = `PRICE=$(curl -H "Authorization: Bearer $KEY" ${shop.base_url}/api/v1/user/products/1 | node -p "JSON.parse(require('fs').readFileSync(0)).data.price")`;
  const order = curl[3]?.replace(/^PRICE=….*/, price) ?? "";
  const script = mine([curl[0] ?? "", token, curl[2] ?? "", order])
    .replace("KEY=sfk_…", "")
    .replaceAll("curl ", "curl -sf ");
  const answers = execFileSync("bash", ["-ec", script], { env, encoding: "utf8" });
  expect([...answers.matchAll(/"status":"success","message":"([^"]+)"/g)].map(([, message]) => message)).toEqual([
    "Products",
    "Added to the cart",
    "Quote",
    "Order placed",
  ]);
});
