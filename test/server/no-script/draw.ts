import type { Page } from "playwright-core";
import type { Answer } from "./visitor.ts";

const ENCODING = new Set(["content-encoding", "content-length", "transfer-encoding"]);

/** Shows a response in a browser, with its address and headers, without requesting it again. */
export async function draw(page: Page, answer: Answer): Promise<void> {
  const { status, headers, bytes } = answer;
  // A fragment would keep the browser from loading a page with the same URL.
  const [url = ""] = answer.url.split("#");
  // page.route would disable the cache for the page's files.
  const session = await page.context().newCDPSession(page);
  await session.send("Fetch.enable", { patterns: [{ urlPattern: url, resourceType: "Document" }] });
  session.once("Fetch.requestPaused", ({ requestId }) =>
    session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: status,
      responseHeaders: [...headers].filter(([name]) => !ENCODING.has(name)).map(([name, value]) => ({ name, value })),
      body: bytes.toString("base64"),
    }),
  );
  await page.goto(url);
  await session.detach();
}
