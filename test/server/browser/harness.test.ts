import { afterAll, describe, expect } from "vitest";
import { listen } from "../../../scripts/listen.ts";
import { it } from "./it.ts";
import { flawsOf, look } from "./look.ts";
import { troublesOf } from "./troubles.ts";

// The other tests rely on this: a page with a fault is reported, and one without is not.

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'";
const aPageWith = (body: string) =>
  `<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width"><main><h1>A page</h1>${body}</main>`;

const paths: Record<string, string> = {
  "/good": aPageWith('<form method="post" action="/refused"><button>Send</button></form>'),
  "/inline": aPageWith("<script>1</script>"),
  "/missing": aPageWith('<img src="/nothing.png" alt="">'),
  "/thrown": aPageWith('<script src="/throw.js"></script>'),
  "/cut-off": aPageWith('<script src="/fetch.js"></script>'),
  "/pale": aPageWith('<p><font color="#cccccc">Pale</font></p>'),
  "/wide": aPageWith('<img src="/wide.svg" alt="Wide" width="2000" height="10">'),
  "/unnamed": aPageWith("<input>"),
  "/cut-off-button": aPageWith('<div class="clip"><button>Send</button></div><link rel="stylesheet" href="/clip.css">'),
  "/throw.js": 'console.warn("mind"); throw new Error("oops");',
  "/fetch.js": 'fetch("/hang-up").catch(() => {});',
  "/clip.css": ".clip { overflow: clip; } button { position: relative; left: calc(100vw - 40px); }",
  "/wide.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

const { url: baseURL, close } = await listen((request, response) => {
  const path = request.url ?? "";
  if (path === "/hang-up") return request.socket.destroy();
  const content = paths[path];
  const type =
    { js: "text/javascript", svg: "image/svg+xml", css: "text/css" }[path.split(".")[1] ?? ""] ?? "text/html";
  const status = path === "/refused" ? 400 : content === undefined ? 404 : 200;
  response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": POLICY }).end(content ?? "");
});
afterAll(close);

describe("faults", () => {
  it("are not found in a good page, or in a form that is refused", async ({ aPage }) => {
    const page = await aPage({ baseURL });
    await page.goto("/good");
    await look(page, "a-good-page");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("/refused");
  });

  it("are found in a page that has them", async ({ browser }) => {
    const context = await browser.newContext({ baseURL });
    const page = await context.newPage();
    const troubles = await troublesOf(page);
    for (const [path, trouble] of [
      ["/inline", "CSP: script-src-elem refuses inline"],
      ["/missing", "nothing.png: 404"],
      ["/thrown", "thrown: oops"],
      ["/thrown", "warning: mind"],
      ["/cut-off", "hang-up: net::ERR_EMPTY_RESPONSE"],
      ["/nowhere", "nowhere: 404"],
    ] as const) {
      troubles.splice(0);
      await page.goto(path);
      await expect.poll(() => troubles.join("\n"), { message: path }).toContain(trouble);
    }
    await context.close();
  });
});

it("finds what is wrong with how a page is made", async ({ aPage }) => {
  const page = await aPage({ baseURL });
  for (const [path, flaw] of [
    ["/pale", "color-contrast"],
    ["/wide", "wider than the window"],
    ["/unnamed", "label"],
    ["/cut-off-button", "cut off: <button>"],
  ] as const) {
    await page.goto(path);
    expect.soft((await flawsOf(page)).join("\n"), path).toContain(flaw);
  }
});
