import type { ConsoleMessage, Page, Response } from "playwright-core";

/**
 * Records everything that goes wrong in a page from now on: console errors and warnings, script errors,
 * Content-Security-Policy violations, requests without a response, and error responses.
 */
export async function troublesOf(page: Page): Promise<string[]> {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (isComplaint(message)) troubles.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => troubles.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // Downloads, and pages that were left while loading.
    if (reason !== "net::ERR_ABORTED") troubles.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    if (isFailure(response)) troubles.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  });
  // The console reports most violations. The event reports all of them, including those of a report-only policy.
  await page.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
    console.error("CSP: " + event.effectiveDirective + " refuses " + (event.blockedURI || "something")))`);
  return troubles;
}

/**
 * Chromium logs every response with a status of 400 or above. `isFailure` reports the relevant ones, with their method.
 */
const isComplaint = (message: ConsoleMessage): boolean =>
  ["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource: the server");

/** True for responses that no page should cause. Forms may be refused: their tests expect the status. */
const isFailure = (response: Response): boolean =>
  response.status() >= (response.request().method() === "POST" ? 500 : 400);
