import type { Page } from "playwright-core";

/**
 * Delays the response to the request for `address` that `ask` makes the page send. The returned function releases the
 * response and resolves once the page has handled it.
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
    // The response to a later request arrives after the page has handled the earlier one.
    await page.evaluate("fetch('/admin/pick?kinds=').then((response) => response.text())");
  };
}
