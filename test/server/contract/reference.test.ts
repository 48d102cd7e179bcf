import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, inject } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look, OTHER_VIEWS } from "../browser/look.ts";

type Operations = Record<string, Record<string, { operationId: string; summary: string }>>;
const document: { paths: Operations; webhooks: Operations } = JSON.parse(readFileSync("public/openapi.json", "utf8"));
const operations = [document.paths, document.webhooks].flatMap((paths) => Object.values(paths).flatMap(Object.values));

/** A rule of axe that the viewer's own markup breaks, whatever is shown in it. */
const OF_THE_VIEWER = ["heading-order"];

/** Every host that a page asks, from now on. */
function hostsAskedBy(page: Page): Set<string> {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  return hosts;
}

const search = (page: Page) => page.getByRole("searchbox", { name: "Search the operations" });

const namesIn = (page: Page) => page.locator("#index li:visible a span:last-child").allTextContents();

it("finds every operation by words of what it does, and shows it", LONG, async ({ aPage }) => {
  const page = await aPage();
  await page.goto("/docs");
  const sorted = async () => (await namesIn(page)).toSorted();
  await expect.poll(sorted).toEqual(operations.map(({ summary }) => summary).toSorted());
  const drawn: string[] = [];
  for (const tag of await page.locator("#index h2 a").allTextContents()) {
    await page.locator("#index").getByRole("link", { name: tag, exact: true }).click();
    await page.getByRole("heading", { name: tag, exact: true, level: 1 }).waitFor();
    await page.locator(".opblock").first().waitFor();
    drawn.push(
      ...(await page.locator(".opblock").evaluateAll((all) => all.map(({ id }) => id.split("-").at(-1) ?? ""))),
    );
  }
  expect(drawn.toSorted()).toEqual(operations.map(({ operationId }) => operationId.replaceAll(".", "\\.")).toSorted());

  await search(page).fill("refund ORDER");
  await expect.poll(() => namesIn(page)).not.toContain("List products");
  expect(await namesIn(page)).toContain("Refund an order");
  await search(page).fill("users/{id}/credit");
  await search(page).press("Enter");
  await page.getByRole("heading", { name: "Credit a wallet", level: 1 }).waitFor();
  await page.waitForURL(/#\/Admin%3A%20users\/creditWallet$/);
  await search(page).fill("no such words");
  await page.locator("#found").getByText(`0 of ${operations.length} operations`).waitFor();
  await expect.poll(() => namesIn(page)).toEqual([]);
});

it("tells of headers once, and names them where they are answered", LONG, async ({ aPage }) => {
  const page = await aPage();
  await page.goto("/docs/#/Products/listProducts");
  await page.getByText(/^Headers: X-Request-Id, .*, Link$/).waitFor();
  await page.getByRole("link", { name: "Headers", exact: true }).first().click();
  await page.locator("#headers dt").first().waitFor();
  const terms = await page.locator("#headers dt").allTextContents();
  expect(terms).toEqual(
    expect.arrayContaining(["X-Request-Id", "RateLimit", "ETag", "Retry-After", "Idempotent-Replayed"]),
  );
  expect(new Set(terms).size).toBe(terms.length);
  await look(page, "reference-conventions");
});

it("sends what is tried to this deployment alone, with a key that the tab remembers", LONG, async ({ aPage, shop }) => {
  const page = await aPage();
  const hosts = hostsAskedBy(page);
  await page.goto("/docs");
  await look(page, "reference-quickstart");
  await page.getByLabel("API key or token").fill(shop.api_keys.standard);
  await search(page).fill("list products");
  await page.locator("#index").getByRole("link", { name: "List products", exact: false }).first().click();
  await page.reload();
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.getByRole("row", { name: "per_page" }).getByRole("textbox").fill("1");
  await page.getByRole("button", { name: "Execute" }).click();
  const answer = page.locator(".live-responses-table .response");
  await answer.getByText('"current_page": 1').waitFor();
  expect(await answer.locator(".response-col_status").textContent()).toContain("200");
  await look(page, "reference", { forgiven: OF_THE_VIEWER });
  await look(page, "reference", { forgiven: OF_THE_VIEWER, views: OTHER_VIEWS });

  expect([...hosts]).toEqual([new URL(shop.base_url).origin]);
  expect(await page.evaluate<number>("localStorage.length")).toBe(0);
  await page.getByLabel("API key or token").fill("");
  await expect.poll(() => page.evaluate<number>("sessionStorage.length")).toBe(0);
});

it(
  "leads from a menu to an operation on a phone, also for who types before the document came",
  LONG,
  async ({ aPage }) => {
    const page = await aPage({ viewport: { width: 390, height: 800 } });
    const typed = Promise.withResolvers<void>();
    await page.route("**/openapi.json", async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.goto("/docs");
    await page.getByRole("button", { name: "Operations" }).click();
    await search(page).fill("cancel order");
    typed.resolve();
    await page.locator("#found").getByText(`of ${operations.length} operations`).waitFor();
    await page.locator("#index").getByRole("link", { name: "Cancel an order" }).click();
    await page.getByRole("heading", { name: "Cancel an order", level: 1 }).waitFor();
    await search(page).waitFor({ state: "hidden" });
  },
);

it("begins with lines that work as they stand", LONG, async ({ aPage, shop }) => {
  const page = await aPage();
  await page.goto("/docs");
  await page.getByText(`"${shop.base_url}/api/v1/user/products?per_page=3"`).waitFor();
  const [curl = [], client = []] = await Promise.all(
    ["curl", "TypeScript client"].map((name) => page.locator(`figure:has-text("${name}") code`).allTextContents()),
  );
  const mine = (lines: string[]) => lines.join("\n").replaceAll("ada@", `ada-${crypto.randomUUID()}@`);
  const { folder } = inject("shop");
  const env = { ...process.env, KEY: shop.api_keys.standard };

  const file = join(folder, "quickstart.ts");
  writeFileSync(file, `${mine(client)}\nconsole.log(data.length, quote.subtotal > 0);\n`);
  expect(execFileSync(process.execPath, [file], { cwd: folder, env, encoding: "utf8" })).toBe("3 true\n");
  rmSync(file);

  const token = `TOKEN=$(${curl[1]?.split("\nTOKEN")[0]} | node -p "JSON.parse(require('fs').readFileSync(0)).data.token")`;
  const script = mine([curl[0] ?? "", token, curl[2] ?? ""])
    .replace("KEY=sfk_…", "")
    .replaceAll("curl ", "curl -sf ");
  const answers = execFileSync("bash", ["-ec", script], { env, encoding: "utf8" });
  expect([...answers.matchAll(/"status":"success","message":"([^"]+)"/g)].map(([, message]) => message)).toEqual([
    "Products",
    "Added to the cart",
    "Quote",
  ]);
});
