import type { Page } from "playwright-core";

/** Waits until the page says so: what a write did, or why it was refused. */
export const told = (page: Page, words: string): Promise<void> =>
  page.locator("main .notice, main .field-errors").filter({ hasText: words }).first().waitFor();
