import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject, it as vitestIt } from "vitest";
import { fromAnAddress } from "../an-address.ts";
import { FRESH_MS } from "../shopper.ts";
import { picture, WINDOW } from "./look.ts";
import { troublesOf } from "./troubles.ts";

/** Long on a busy machine; what does not come fails with what was waited for. */
const PATIENCE_MS = 30_000;

let launched: Promise<Browser> | undefined;
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> | undefined;
let freshUntil = 0;

/**
 * A test in a browser. `aPage()` is a window of somebody whom the shop does not know, `aSignedInPage()` one of the demo's
 * administrator. Whatever the test does with them, in the end nothing may have gone wrong in any.
 */
export const it = vitestIt
  .extend("shop", { scope: "worker" }, () => inject("shop"))
  .extend("browser", { scope: "worker" }, async ({ shop }, { onCleanup }) => {
    // One for all files of a worker: its windows share nothing. A test that is derived from this one would launch another.
    launched ??= chromium.launch(inject("chromium"));
    const browser = await launched;
    onCleanup(() => browser.close());
    // A header of our own would need the consent of a shop that a page of another site calls.
    const inShop = () => ({ baseURL: shop.base_url, extraHTTPHeaders: fromAnAddress() });
    const newContext = (options: BrowserContextOptions) =>
      browser.newContext({
        viewport: WINDOW,
        // Animations end as they end for who wants none: a look need not wait for them.
        reducedMotion: "reduce",
        ...(options.baseURL === undefined && inShop()),
        ...options,
      });
    return { newContext };
  })
  /** The administrator's session, which files share while it is fresh: signing in for each would soon be one too many. */
  .extend("session", { scope: "file" }, async ({ shop, browser }) => {
    const storageState = freshUntil > Date.now() ? signedIn : undefined;
    const context = await browser.newContext(storageState ? { storageState } : {});
    if ((await context.request.get("/admin", { maxRedirects: 0 })).status() !== 200) {
      await context.request.post("/admin/sign-in", { form: { ...shop.admin }, headers: { Origin: shop.base_url } });
      freshUntil = Date.now() + FRESH_MS;
    }
    signedIn = await context.storageState();
    await context.close();
    return signedIn;
  })
  .extend("aPage", async ({ browser, task }, { onCleanup }) => {
    const opened: { page: Page; troubles: string[] }[] = [];
    onCleanup(async () => {
      for (const [index, { page }] of opened.entries()) {
        if (task.result?.state === "fail") await picture(page, `failed-${task.name.replace(/\W+/g, "-")}-${index}`);
        await page.context().close();
      }
      expect(opened.flatMap(({ troubles }) => troubles)).toEqual([]);
    });
    return async (options: BrowserContextOptions = {}): Promise<Page> => {
      const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      // A script swaps pages, which takes a click out from under the pointer: wait for a page that is on its way.
      await page.addLocatorHandler(page.locator("main[aria-busy=true]"), async () => {});
      opened.push({ page, troubles: await troublesOf(page) });
      return page;
    };
  })
  .extend("aSignedInPage", async ({ aPage, session }) => {
    return (options: BrowserContextOptions = {}) => aPage({ ...options, storageState: session });
  });
