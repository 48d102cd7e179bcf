import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromium } from "./browser/chromium.ts";
import { SCREENSHOTS } from "./browser/look.ts";
import { aCheckout, LOG, type OpenShop, withoutDelivery } from "./checkout.ts";
import { openExample } from "./example/open.ts";
import { openOwnShop } from "./example/own-shop.ts";
import { serveOnDemand } from "./on-demand.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The shop that these tests share: the demo without its delivery. Tests that would break it open their own. */
    shop: OpenShop;
    /** The demo shop as `npm start` finds it, with its build. */
    state: string;
    /** URL at which `demand` of on-demand.ts requests a shared example or shop. */
    onDemand: string;
    chromium: LaunchOptions;
  }
}

/**
 * Lets browsers cache the panel's script and style. By default they request both again for every page, in case of a
 * deployment in between, which would be more than half of all requests in these tests.
 */
function cacheAssets(path: string): void {
  const headers = readFileSync(path, "utf8");
  const cached = headers.replace(
    "/admin-assets/*\n  Cache-Control: no-cache",
    "/admin-assets/*\n  Cache-Control: max-age=3600",
  );
  if (cached === headers) throw new Error(`${path} has no Cache-Control of the panel's assets`);
  writeFileSync(path, cached);
}

/**
 * Lowers the cost of password hashes: a real one takes 0.2 s of CPU, and tests sign in hundreds of times.
 * fresh-clone.test.ts keeps the real cost.
 */
function cheapenPasswords(path: string): void {
  if (!existsSync(path)) throw new Error(`${path} does not set the cost of passwords`);
  cpSync("test/support/password-cost.ts", path);
}

/** Called by vitest once before the first of these tests. Returns a function that is called after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS);
  const checkout = await aCheckout();
  let closeOthers = async () => {};
  const close = async () => {
    await closeOthers();
    await checkout.kill();
    checkout.remove();
  };
  try {
    cheapenPasswords(join(checkout.folder, "src/accounts/users/sign-in/password-cost.ts"));
    cacheAssets(join(checkout.folder, "public/_headers"));
    const building = checkout.build("dev");
    // Unpacks the browser meanwhile.
    project.provide("chromium", chromium());
    await building;
    const state = checkout.copyState();
    // Collects garbage as in production, and on request, because its memory is measured.
    const shop = await checkout.start({ MINIFLARE_WORKERD_V8_FLAGS: "--expose-gc" });
    await withoutDelivery(shop);
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
