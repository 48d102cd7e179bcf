import type { ConsoleMessage, Page, Response } from "playwright-core";

/**
 * Everything that goes wrong in a page from now on, in words: what its console calls an error or a warning, what its script
 * throws, what its Content-Security-Policy refuses, requests without an answer, answers that say it failed.
 */
export async function troublesOf(page: Page): Promise<string[]> {
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (isComplaint(message)) troubles.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => troubles.push(`thrown: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    // A download, and a page that was left while it loaded.
    if (reason !== "net::ERR_ABORTED") troubles.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  page.on("response", (response) => {
    if (isFailure(response)) troubles.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  });
  // The console tells of most violations; the event tells of all, also under a policy that only reports.
  await page.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
    console.error("CSP: " + event.effectiveDirective + " refuses " + (event.blockedURI || "something")))`);
  return troubles;
}

/** Chromium writes a line for every answer from 400 on; those that matter are told by `isFailure`, with their method. */
const isComplaint = (message: ConsoleMessage): boolean =>
  ["error", "warning"].includes(message.type()) && !message.text().startsWith("Failed to load resource: the server");

/** True for responses that no page should cause. Refused forms are not among them: their tests name the expected answer. */
const isFailure = (response: Response): boolean =>
  response.status() >= (response.request().method() === "POST" ? 500 : 400);
