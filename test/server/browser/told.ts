import type { Page } from "playwright-core";

/** Waits for the page's message that a write succeeded, or why it was refused. */
export const told = (page: Page, words: string): Promise<void> =>
  page.locator("main .notice, main .field-errors").filter({ hasText: words }).first().waitFor();
