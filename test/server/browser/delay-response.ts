import type { Page } from "playwright-core";

/**
 * Has `ask` send the page's request for `address`, whose answer waits until what this comes back with is called. That comes back
 * once the page has dealt with the answer.
 */
export async function delayResponse(
  page: Page,
  address: string,
  ask: () => Promise<void>,
): Promise<() => Promise<void>> {
  const awaited = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await awaited.promise;
    await route.continue();
  });
  const asked = page.waitForRequest(address);
  await ask();
  await asked;
  return async () => {
    const answered = page.waitForResponse(address);
    awaited.resolve();
    await (await answered).finished();
    // What the page asks for next comes after it has dealt with that.
    await page.evaluate("fetch('/admin/pick?kinds=').then((response) => response.text())");
  };
}
