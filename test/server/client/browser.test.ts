import { build } from "esbuild";
import { expect } from "vitest";
import { listen } from "../../../scripts/listen.ts";
import { it as browserIt } from "../browser/it.ts";
import { aBoughtFile, aShopper } from "../shopper.ts";
import { aLossyLine } from "./lossy-line.ts";

/** A page on another site, with nothing but the client. */
const it = browserIt.extend("site", { scope: "file" }, async ({ browser: _browser }, { onCleanup }) => {
  const { outputFiles } = await build({
    entryPoints: ["src/client/index.ts"],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "client",
  });
  const page = `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,">`;
  const site = await listen((_, response) => response.setHeader("Content-Type", "text/html").end(page), "localhost");
  onCleanup(site.close);
  return { baseURL: site.url, script: outputFiles[0]?.text ?? "" };
});

it("runs in a browser on another site: writes, reads its writes, and resumes a download", async ({
  shop,
  site,
  browser,
}) => {
  const { api, token } = await aShopper(shop);
  const { id, sha256 } = await aBoughtFile(api);
  const line = await aLossyLine(shop.base_url, [3_000_000]);
  const context = await browser.newContext({ baseURL: site.baseURL });
  const page = await context.newPage();
  await page.goto("/");
  await page.addScriptTag({ content: site.script });
  const seen = await page.evaluate(`(async () => {
    const me = client.createStorefront({ baseUrl: "${line.baseUrl}", credential: "${token}" });
    await me.POST("/api/v1/user/cart", { body: { product_id: 1 } });
    const { data: cart } = await me.GET("/api/v1/user/cart");
    const { body } = await me.download(${id});
    const digest = await crypto.subtle.digest("SHA-256", await new Response(body).arrayBuffer());
    const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return { items: cart.item_count, bookmark: typeof me.bookmark, sha256 };
  })()`);
  await context.close();
  line.close();
  expect(seen).toEqual({ items: 1, bookmark: "string", sha256 });
  expect(line.opened()).toBeGreaterThan(1);
});
