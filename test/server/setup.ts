import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";
import { chromium } from "./browser/chromium.ts";
import { SCREENSHOTS } from "./browser/look.ts";
import { aCheckout, LOG, type OpenShop } from "./checkout.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The one shop that all these tests share, as `npm start` opened it; who breaks a shop opens one of their own. */
    shop: OpenShop;
    /** The state of the shop when it had just been opened. */
    state: string;
    chromium: LaunchOptions;
  }
}

/** vitest runs it once, before the first of these tests, and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(SCREENSHOTS, { recursive: true, force: true });
  mkdirSync(SCREENSHOTS);
  project.provide("chromium", chromium());
  const checkout = await aCheckout();
  const close = async () => {
    await checkout.kill();
    checkout.remove();
  };
  try {
    project.provide("shop", await checkout.start({ MINIFLARE_WORKERD_V8_FLAGS: "--expose-gc" }));
    project.provide("state", checkout.copyState());
  } catch (error) {
    await close();
    throw error;
  }
  return () => {
    cpSync(join(checkout.folder, LOG), join(SCREENSHOTS, LOG));
    return close();
  };
}
