import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromium } from "./browser/chromium.ts";
import { SCREENSHOTS } from "./browser/look.ts";
import { aCheckout, LOG, type OpenShop } from "./checkout.ts";
import { openExample } from "./example/open.ts";
import { openOwnShop } from "./example/own-shop.ts";
import { serveOnDemand } from "./on-demand.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The one shop that all these tests share, as `npm start` opened it; who breaks a shop opens one of their own. */
    shop: OpenShop;
    /** The state of the shop when it had just been opened. */
    state: string;
    /** Where the examples are asked for that files share: `demand` of on-demand.ts. */
    onDemand: string;
    chromium: LaunchOptions;
  }
}

/**
 * Lets browsers keep the script and style of the panel. A shop has them ask for both again with every page, in case of a
 * deployment meanwhile, which is more than half of all requests of the tests.
 */
function keepAssets(path: string): void {
  const headers = readFileSync(path, "utf8");
  const kept = headers.replace(
    "/admin-assets/*\n  Cache-Control: no-cache",
    "/admin-assets/*\n  Cache-Control: max-age=3600",
  );
  if (kept === headers) throw new Error(`${path} has no Cache-Control of the panel's assets`);
  writeFileSync(path, kept);
}

/** vitest runs it once, before the first of these tests, and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS);
  project.provide("chromium", chromium());
  const checkout = await aCheckout();
  // A hash takes 0.2 s of CPU, and tests sign in by the hundred. fresh-clone.test.ts signs in at the users' cost.
  cpSync("test/support/password-cost.ts", join(checkout.folder, "src/accounts/users/sign-in/password-cost.ts"));
  let closeOthers = async () => {};
  keepAssets(join(checkout.folder, "public/_headers"));
  const close = async () => {
    await closeOthers();
    await checkout.kill();
    checkout.remove();
  };
  try {
    const shop = await checkout.start({ MINIFLARE_WORKERD_V8_FLAGS: "--expose-gc" });
    const state = checkout.copyState();
    project.provide("shop", shop);
    project.provide("state", state);
    const onDemand = await serveOnDemand({
      example: async () => {
        const { baseURL, close } = await openExample(shop);
        return { found: baseURL, close };
      },
      ownShop: () => openOwnShop(state),
    });
    closeOthers = onDemand.close;
    project.provide("onDemand", onDemand.url);
  } catch (error) {
    await close();
    throw error;
  }
  return () => {
    cpSync(join(checkout.folder, LOG), join(SCREENSHOTS, LOG));
    return close();
  };
}
