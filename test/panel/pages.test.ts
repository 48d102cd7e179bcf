import { afterEach, describe, expect, it, vi } from "vitest";
import { readTimeZone } from "../../src/platform/db/time-zone.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { counted } from "../support/counting.ts";
import { faultyDatabase } from "../support/faulty.ts";
import { anAdministrator, aVisitor, type Page } from "../support/panel.ts";
import { aProduct, aUser, db, orderOf, someProducts } from "../support/shop.ts";

const OUT_OF_REACH = "D1_ERROR: Network connection lost.";
const BUG = "D1_ERROR: no such column: secret cause: SQLITE_ERROR";

const withoutDatabase = async (fault: string) => (await anAdministrator()).get("/admin", { DB: faultyDatabase(fault) });

/** One page of every kind, by what it shows. */
const pages: Record<string, [status: number, ask: () => Promise<Page>]> = {
  "the sign-in page": [200, () => aVisitor().get("/admin/sign-in")],
  "a sign-in that was refused": [
    401,
    () => aVisitor().post("/admin/sign-in", { email: "a@b.test", password: "wrong" }),
  ],
  "the overview": [200, async () => (await anAdministrator()).get("/admin")],
  "who is not signed in": [303, () => aVisitor().get("/admin")],
  "a page that does not exist": [404, async () => (await anAdministrator()).get("/admin/nothing")],
  "a row that does not exist": [404, async () => (await anAdministrator()).get("/admin/products/999999")],
  "a form of another site": [403, () => aVisitor().post("/admin/sign-in", {}, cross)],
  "a method that does not exist": [405, async () => another("PUT", "/admin")],
  "a body that is no form": [415, () => aVisitor().post("/admin/sign-in", {}, { "Content-Type": "text/plain" })],
  "a form that is too large": [413, () => aVisitor().post("/admin/sign-in", { email: "x".repeat(1024 * 1024 + 1) })],
  "storage out of reach": [503, () => withoutDatabase(OUT_OF_REACH)],
  "a fault of ours": [500, () => withoutDatabase(BUG)],
};

const cross = { Origin: "https://evil.test", "Sec-Fetch-Site": "cross-site" };

async function another(method: string, path: string, visitor?: ReturnType<typeof aVisitor>) {
  const { send, headers } = visitor ?? (await anAdministrator());
  const own = { ...headers(), Origin: "https://shop.test" };
  return send(new Request(`https://shop.test${path}`, { method, headers: own }));
}

afterEach(() => vi.restoreAllMocks());

describe.each(Object.entries(pages))("%s", (_, [expected, ask]) => {
  it("is a page that contains nothing foreign, and is never cached", async () => {
    const { status, headers, html } = await ask();
    expect(status).toBe(expected);
    const policy = headers.get("Content-Security-Policy")?.split("; ").sort();
    expect(policy).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' https: data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].sort(),
    );
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBe("DENY");
    expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{7,}$/);
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    if (status === 303) return;
    expect(headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    expect(html).toMatch(/<h1>[^<]+<\/h1>/);
    expect(html).not.toMatch(/<style|<script(?! src="\/admin-assets\/)| style=| on[a-z]+="|javascript:/i);
    expect(html).not.toMatch(/secret|SQLITE|D1_|select "|Error:/);
  });
});

describe("a refusal", () => {
  it("is shown in the panel's frame to signed-in users, and in a bare one to others", async () => {
    const { get, post } = await anAdministrator();
    expect((await get("/admin/nothing")).html).toContain("Sign out");
    expect((await post("/admin/products/1/delete", {}, cross)).html).not.toContain("Sign out");
    expect((await aVisitor().post("/admin/sign-in", {}, cross)).html).not.toContain("Sign out");
  });

  it("explains an invalid address", async () => {
    const { status, html } = await (await anAdministrator()).get("/admin/products/x");
    expect(status).toBe(400);
    expect(html).toContain("Id: must be a whole number");
  });

  it.each([
    [OUT_OF_REACH, "Try again", "5"],
    [BUG, "An unexpected error occurred", null],
  ])("that is our fault is logged with its cause and told without it (%s)", async (fault, words, retryAfter) => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {});
    const { html, headers } = await withoutDatabase(fault);
    expect(html).toContain(words);
    expect(html).toContain(String(headers.get("X-Request-Id")));
    expect(headers.get("Retry-After")).toBe(retryAfter);
    expect(errors.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      expect.objectContaining({ cause: expect.stringContaining(fault), request_id: headers.get("X-Request-Id") }),
    ]);
  });
});

describe("another method", () => {
  it("is 405 with the allowed ones, signed in or not", async () => {
    for (const visitor of [undefined, aVisitor()]) {
      const overview = await another("DELETE", "/admin", visitor);
      expect([overview.status, overview.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
      const session = await another("PUT", "/admin/sign-in", visitor);
      expect([session.status, session.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST"]);
      expect((await another("PATCH", "/admin/nothing", visitor)).status).toBe(404);
    }
  });

  it("HEAD is GET without its body", async () => {
    const { status, html } = await another("HEAD", "/admin");
    expect([status, html]).toEqual([200, ""]);
  });

  it("is not allowed for other sites", async () => {
    const { headers } = await another("OPTIONS", "/admin", aVisitor());
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});

describe("a form", () => {
  const forged: [string, Record<string, string>][] = [
    ["of another site", cross],
    ["of another host of the same site", { Origin: "https://api.shop.test", "Sec-Fetch-Site": "same-site" }],
    ["of a page without an origin", { Origin: "null", "Sec-Fetch-Site": "cross-site" }],
    ["of the same host in clear", { Origin: "http://shop.test", "Sec-Fetch-Site": "cross-site" }],
    ["of nowhere", { Origin: "", "Sec-Fetch-Site": "" }],
    ["of another site, in parts", { ...cross, "Content-Type": "multipart/form-data; boundary=x" }],
    ["of another site, as text", { ...cross, "Content-Type": "text/plain" }],
  ];

  it.each(forged)("%s is refused before the sender's session is checked", async (_, headers) => {
    const { post, jar } = await anAdministrator();
    const { bindings, trips } = counted();
    const { status, html } = await post("/admin/sign-out", { name: "x" }, headers, bindings);
    expect(status).toBe(403);
    expect(html).toContain("came from another site");
    expect(trips).toEqual({ d1: 0, durableObjects: 0, r2: 0 });
    expect(jar.has("__Host-panel")).toBe(true);
  });

  it.each([
    ["only the origin", { "Sec-Fetch-Site": "" }],
    ["only that it is of this site", { Origin: "null" }],
  ])("from a browser that sends %s is accepted", async (_, headers) => {
    const { post } = await anAdministrator();
    expect((await post("/admin/sign-out", {}, headers)).status).toBe(303);
  });
});

describe("the result of the last write", () => {
  const told = async (cookie: string) => (await aVisitor({ "__Host-panel-flash": cookie }).get("/admin/sign-in")).html;

  it("is shown once, from a cookie that scripts cannot read", async () => {
    const { post, get } = await anAdministrator();
    const out = await post("/admin/sign-out");
    const cookie = out.headers.getSetCookie().find((each) => each.startsWith("__Host-panel-flash="));
    expect(cookie).toMatch(/Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Strict/);
    expect((await get("/admin/sign-in")).html).toMatch(
      /<p class="notice success" role="status">You are signed out\.<\/p>/,
    );
    expect((await get("/admin/sign-in")).html).not.toContain("signed out");
  });

  it("is text, and only in a known tone", async () => {
    const html = await told(encodeURIComponent("success::<b onclick=x>bold</b>"));
    expect(html).toContain("&lt;b onclick=x&gt;");
    for (const cookie of ["nonsense", "success", encodeURIComponent('x"><script>:y'), "%E0%A4%A"]) {
      expect(await told(cookie)).not.toContain("notice");
    }
  });

  it("cannot be set by a link", async () => {
    const { html } = await aVisitor().get("/admin/sign-in?flash=success:hello&message=hello&panel-flash=hello");
    expect(html).not.toContain("hello");
  });
});

it("calls the database only for the shop's name on the sign-in page, and once to refuse a sign-in", async () => {
  const { bindings, trips } = counted();
  await readTimeZone(db);
  await aVisitor().get("/admin/sign-in", bindings);
  expect(trips).toEqual({ d1: 0, durableObjects: 0, r2: 0 });
  await aVisitor().post("/admin/sign-in", { email: "a@b.test", password: "wrong" }, {}, bindings);
  expect(trips).toEqual({ d1: 1, durableObjects: 2, r2: 0 });
});

it("finds a page whose address has an extra slash", async () => {
  const { status, location } = await (await anAdministrator()).get("/admin/products/?page=2");
  expect([status, location]).toEqual([301, "https://shop.test/admin/products?page=2"]);
});

const anAdmin = shared(() => anAdministrator());

const LIST = "/admin/events";

/** Types of the events on the page, in order. */
const typesIn = (html: string) => [...html.matchAll(/<code class="nowrap">([\w.]+)</g)].map(([, type]) => type);

describe("the page of events", () => {
  it("shows the newest first, and one type on request", async () => {
    const { get } = await anAdmin();
    const buyer = await aUser({ wallet: 10_000 });
    await call("POST /orders", { as: buyer.token, body: orderOf(await aProduct()) });
    const all = typesIn((await get(LIST)).html);
    expect(all.slice(0, 2)).toEqual(["order.paid", "order.created"]);
    const some = typesIn((await get(`${LIST}?type=order.paid`)).html);
    expect(new Set(some)).toEqual(new Set(["order.paid"]));
  });

  it("links to older ones, without duplicates or gaps", async () => {
    const { get } = await anAdmin();
    await someProducts(30);
    const first = await get(`${LIST}?type=product.created`);
    const [, older = ""] = /rel="next" href="([^"]+)"/.exec(first.html) ?? [];
    const second = await get(older.replaceAll("&amp;", "&"));
    const idsIn = (html: string) => [...html.matchAll(/data-label="Id"[^>]*>(\d+)</g)].map(([, id]) => Number(id));
    const ids = [...idsIn(first.html), ...idsIn(second.html)];
    expect(ids.length).toBeGreaterThan(30);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one));
  });

  it("refuses unknown types, and shows administrators' events only to administrators", async () => {
    const { get } = await anAdmin();
    const refused = await get(`${LIST}?type=order.eaten`);
    expect(refused.status).toBe(400);
    const viewer = await anAdministrator({ role: "viewer" });
    expect((await viewer.get(LIST)).html).not.toContain('value="api_key.created"');
    expect((await viewer.get(`${LIST}?type=api_key.created`)).status).toBe(403);
  });
});
