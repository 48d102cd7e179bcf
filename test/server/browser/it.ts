import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject, it as vitestIt } from "vitest";
import { fromAnAddress } from "../an-address.ts";
import { FRESH_MS } from "../shopper.ts";
import { picture, WINDOW } from "./look.ts";
import { troublesOf } from "./troubles.ts";

/** A long timeout for busy machines. If it runs out, the error names what was waited for. */
const PATIENCE_MS = 30_000;

type Opened = { page: Page; troubles: string[] };

let launched: Promise<Browser> | undefined;
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> | undefined;
let freshUntil = 0;
/**
 * The administrator's window, which tests share because another one would be a process that compiles the panel's script
 * and axe again. A test listens to dialogs only after it has left the previous test's page, which may have unsaved
 * changes.
 */
let adminWindow: Opened | undefined;

/**
 * A test in a browser. `aPage()` opens a window of an unknown visitor, `aSignedInPage()` one of the demo administrator.
 * With script, the administrator's window serves all tests of a worker, in the size that a test asks for. The test fails if
 * anything went wrong in any of its pages.
 */
export const it = vitestIt
  .extend("shop", { scope: "worker" }, () => inject("shop"))
  .extend("browser", { scope: "worker" }, async ({ shop }, { onCleanup }) => {
    // One browser for all files of a worker: its windows share no state. A test derived from this one would launch
    // another.
    launched ??= chromium.launch(inject("chromium"));
    const browser = await launched;
    onCleanup(() => browser.close());
    // A custom header would require CORS permission in shops that are called from another site's page.
    const inShop = () => ({ baseURL: shop.base_url, extraHTTPHeaders: fromAnAddress() });
    const newContext = (options: BrowserContextOptions) =>
      browser.newContext({
        viewport: WINDOW,
        // Reduced motion skips animations, so that screenshots need not wait for them.
        reducedMotion: "reduce",
        ...(options.baseURL === undefined && inShop()),
        ...options,
      });
    return { newContext };
  })
  /** The administrator's session. Files share it while it is fresh, because sign-ins are rate limited. */
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
  .extend("opened", async ({ task }, { onCleanup }) => {
    const opened: Opened[] = [];
    onCleanup(async () => {
      const hasFailed = task.result?.state === "fail";
      for (const [index, { page }] of opened.entries()) {
        if (hasFailed) await picture(page, `failed-${task.name.replace(/\W+/g, "-")}-${index}`);
        if (hasFailed || page !== adminWindow?.page) await page.context().close();
      }
      if (hasFailed) adminWindow = undefined;
      expect(opened.flatMap(({ troubles }) => troubles.splice(0))).toEqual([]);
    });
    return opened;
  })
  .extend("aPage", async ({ browser, opened }) => {
    return async (options: BrowserContextOptions = {}): Promise<Page> => {
      const window = await openWindow(browser, options);
      opened.push(window);
      return window.page;
    };
  })
  .extend("aSignedInPage", async ({ browser, aPage, session, opened }) => {
    return async (options: BrowserContextOptions = {}): Promise<Page> => {
      if (options.javaScriptEnabled === false) return aPage({ ...options, storageState: session });
      adminWindow ??= await openWindow(browser, {});
      opened.push(adminWindow);
      const { page, troubles } = adminWindow;
      troubles.splice(0);
      page.removeAllListeners("dialog");
      await page.unrouteAll();
      await page.setViewportSize(options.viewport ?? WINDOW);
      await page.context().clearCookies();
      await page.context().addCookies(session.cookies);
      return page;
    };
  });

async function openWindow(browser: Pick<Browser, "newContext">, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  // The script swaps pages, which can remove a link while it is being clicked. Wait until a page has loaded.
  await page.addLocatorHandler(page.locator("main[aria-busy=true]"), async () => {});
  return { page, troubles: await troublesOf(page) };
}
