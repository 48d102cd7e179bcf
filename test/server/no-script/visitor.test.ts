import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { listen } from "../../../scripts/listen.ts";
import { parseHtml, select, textOf } from "./html.ts";
import { aVisitor } from "./visitor.ts";

// Tests of the example rely on this: a visitor finds and submits what a browser would, and does nothing that a browser
// cannot.

const FORM = `<form method="post" action="/echo">
  <input type="hidden" name="token" value="a&amp;b"><label>Name<input name="name" value="Lou &quot;L&quot;" required></label>
  <label for="c">Country</label><select id="c" name="country"><option value="DE">Germany</option><option selected>Spain</option></select>
  <label><input type="radio" name="size" value="S" checked>S</label><label><input type="radio" name="size" value="M">M</label>
  <label><input type="checkbox" name="news" value="yes">News</label><label>Old<input name="old" value="x" disabled></label>
  <label>Note<textarea name="note">first</textarea></label><input value="nameless">
  <button>Send</button><button name="step" value="1" aria-label="One more">+</button><button type="button">Nothing</button>
  <button formaction="/found" formmethod="get" formnovalidate>Find</button></form>`;

const pages: Record<string, string> = {
  "/form": `<main>${FORM}<a href="/form">Again</a><a href="/file">File</a><a href="/missing">Gone</a></main>`,
  "/twice": "<main><button>Send</button><button>Send</button></main>",
  "/open": "<main><p>never closed</main>",
};

const { url: base, close } = await listen(async (request, response) => {
  const url = new URL(request.url ?? "", "http://shop.example");
  const page = (html: string) => response.setHeader("Content-Type", "text/html").end(html);
  if (url.pathname === "/echo") {
    response.setHeader("Set-Cookie", [`sent=${encodeURIComponent(await text(request))}; Path=/`, "old=; Max-Age=0"]);
    return response.writeHead(303, { Location: `/told?from=${request.headers.origin}` }).end();
  }
  if (url.pathname === "/told") return page(`<main><p role="status">${request.headers.cookie}</p></main>`);
  if (url.pathname === "/found")
    return page(`<main><p role="status">${url.search.replaceAll("&", "&amp;")}</p></main>`);
  if (url.pathname === "/file") return response.setHeader("Content-Disposition", "attachment").end("bytes");
  const found = pages[url.pathname];
  return found === undefined ? response.writeHead(404).end() : page(found);
});
afterAll(close);

async function onTheForm() {
  const visitor = aVisitor(base);
  visitor.cookies.set("old", "1");
  await visitor.open("/form");
  return visitor;
}

it("sends a form as a browser does, keeps cookies, and follows the response", async () => {
  const visitor = await onTheForm();
  visitor.choose("Country", "Germany");
  visitor.check("M");
  visitor.fill("Note", "second");
  await visitor.press("One more");
  const sent = new URLSearchParams(decodeURIComponent(visitor.cookies.get("sent") ?? ""));
  expect([...sent]).toEqual([
    ["token", "a&b"],
    ["name", 'Lou "L"'],
    ["country", "DE"],
    ["size", "M"],
    ["note", "second"],
    ["step", "1"],
  ]);
  expect(visitor.path()).toBe(`/told?from=${base}`);
  visitor.told("sent=");
  expect(visitor.cookies.has("old")).toBe(false);
});

it("presses Enter, and buttons with another target", async () => {
  const visitor = await onTheForm();
  visitor.check("News");
  await visitor.enter("Note");
  expect(decodeURIComponent(visitor.cookies.get("sent") ?? "")).toMatch(/country=Spain&size=S&news=yes&note=first$/);
  await visitor.open("/form");
  visitor.fill("Name", "");
  await visitor.press("Find");
  visitor.told("?token=a%26b&name=&country=Spain");
});

it("keeps the page while it saves a file", async () => {
  const visitor = await onTheForm();
  const { bytes } = await visitor.follow("File");
  expect([bytes.toString(), visitor.path()]).toEqual(["bytes", "/form"]);
});

it("does nothing that a browser would not", async () => {
  const visitor = await onTheForm();
  expect(() => visitor.fill("Old", "y")).toThrow("old is disabled");
  expect(() => visitor.fill("Nickname", "y")).toThrow("0 times the field Nickname");
  expect(() => visitor.told("anything")).toThrow("status of");
  await expect(visitor.press("Nothing")).rejects.toThrow("sends no form");
  await expect(visitor.follow("Gone")).rejects.toThrow("/missing: 404");
  visitor.fill("Name", "");
  await expect(visitor.press("Send")).rejects.toThrow("fields that the browser asks for");
  await expect(visitor.open("/open")).rejects.toThrow("</main> closes <p>");
  await visitor.open("/twice");
  await expect(visitor.press("Send")).rejects.toThrow("2 times the button Send");
});

it("selects by tags, classes, ids, attributes, ancestors and parents, and reads text as displayed", () => {
  const page = parseHtml(
    '<!doctype html><main id="top"><ul class="a b"><li>One &amp; <b>two</b></li><li> three<br>four<script>x < 1</script></li></ul><p title="li > x">p</p></main>',
  );
  const texts = (selector: string) => select(page, selector).map(textOf);
  expect(texts("#top .b li")).toEqual(["One & two", "three four"]);
  expect(texts("main > li, main > p")).toEqual(["p"]);
  expect(texts("ul.a.b > li b")).toEqual(["two"]);
  expect(texts('p[title="li > x"]')).toEqual(["p"]);
  expect(texts("p[title=other], .c, ol li")).toEqual([]);
});
