import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { newSecrets } from "../../scripts/secrets.ts";
import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { forgetUser } from "../../src/platform/auth/user-limiter.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { anAddress, call, ORIGIN } from "../support/call.ts";
import { failing, fault } from "../support/faults.ts";
import { faultyDatabase } from "../support/faulty.ts";
import { anAdministrator, aVisitor, fieldsOf, type Page } from "../support/panel.ts";
import { aCategory, aFile, aUser, db, settings } from "../support/shop.ts";

const SIGN_IN = "/admin/sign-in";
const COOKIE = "__Host-panel";

/** Signs in with the password. */
async function signIn(account: { email: string }, fields: Record<string, string> = {}) {
  const visitor = aVisitor();
  const answer = await visitor.post(SIGN_IN, { email: account.email, password: PASSWORD, ...fields });
  return { ...visitor, answer };
}

/** A signed-in visitor, and the password to sign in again. */
const anAdministratorWithPassword = async () => {
  const { email } = await anAccount({ role: "admin" });
  return { ...(await signIn({ email })), email };
};

const isOut = ({ status, location }: Page) => status === 303 && location?.startsWith(SIGN_IN);

const sessionsOf = (userId: number) => db.select().from(tables.sessions).where(eq(tables.sessions.userId, userId));

describe("signing in", () => {
  it("opens a session whose cookie is hidden from scripts, other sites and other hosts", async () => {
    const { answer, get } = await signIn(await anAccount({ role: "admin" }));
    expect([answer.status, answer.location]).toEqual([303, "/admin"]);
    const [cookie = ""] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-panel=[\w.-]+;/);
    expect(cookie.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=3600",
      "Path=/",
      "SameSite=Strict",
      "Secure",
    ]);
    expect((await get("/admin")).html).toContain("<h1>Home</h1>");
  });

  it("uses a plain cookie only if a browser calls its own machine", async () => {
    const { email } = await anAccount({ role: "admin" });
    const ask = async (origin: string) => {
      const body = new URLSearchParams({ email, password: PASSWORD });
      const headers = { Origin: origin, "CF-Connecting-IP": anAddress() };
      const { headers: sent } = await aVisitor().send(
        new Request(`${origin}${SIGN_IN}`, { method: "POST", headers, body }),
      );
      return sent.getSetCookie()[0];
    };
    expect(await ask("http://localhost:8787")).toMatch(/^panel=(?!.*Secure).*HttpOnly/);
    for (const origin of ["http://shop.test", "http://localhost.shop.test", "https://localhost"]) {
      expect(await ask(origin)).toMatch(/^__Host-panel=.*Secure/);
    }
  });

  it("continues to the requested page", async () => {
    const asked = await aVisitor().get("/admin/orders?status=pending&page=2");
    expect(asked.location).toBe("/admin/sign-in?next=%2Fadmin%2Forders%3Fstatus%3Dpending%26page%3D2");
    const form = await aVisitor().get(String(asked.location));
    expect(form.html).toContain('name="next" value="/admin/orders?status=pending&amp;page=2"');
    const { answer } = await signIn(await anAccount({ role: "admin" }), {
      next: "/admin/orders?status=pending&page=2",
    });
    expect(answer.location).toBe("/admin/orders?status=pending&page=2");
  });

  it("never leads to another site, or anywhere but a page of the panel", async () => {
    const { get } = await anAdministrator();
    const elsewhere = [
      ...[
        "//evil.test",
        "/\\evil.test",
        "\\\\evil.test",
        "https://evil.test/admin",
        "https:evil.test",
        "//evil.test/admin",
      ],
      ...["javascript:alert(1)", "data:text/html,x", "/admin/../api/v1/user/files", "/admin/%2e%2e/health", "/adminx"],
      ...["http://shop.test/admin", "/admin@evil.test", "\t//evil.test", "/%09/evil.test", "", "/admin/sign-out"],
      ...["/admin/sign-in", "https://shop.test@evil.test/admin", "https://[", `//${"x".repeat(5000)}`],
    ];
    for (const next of elsewhere) {
      const { location } = await get(`${SIGN_IN}?next=${encodeURIComponent(next)}`);
      expect(location, next).toBe("/admin");
    }
    expect((await get(`${SIGN_IN}?next=${encodeURIComponent("/admin/orders?x=//y")}`)).location).toBe(
      "/admin/orders?x=//y",
    );
  });

  it("gives the same error for a wrong password, an unknown address, a customer and a disabled administrator", async () => {
    const [admin, customer] = [await anAccount({ role: "admin" }), await anAccount()];
    const disabled = await anAccount({ role: "admin", disabledAt: Date.now() });
    const tries = [
      await signIn(admin, { password: "wrong password" }),
      await signIn({ email: "nobody@shop.test" }),
      await signIn(customer),
      await signIn(disabled),
    ];
    const texts = tries.map(({ answer, jar }) => {
      expect(answer.status).toBe(401);
      expect(jar.size).toBe(0);
      return answer.html.replaceAll(/value="[^"]*"/g, "");
    });
    expect(texts[0]).toContain("The e-mail address or the password is not correct");
    expect(new Set(texts).size).toBe(1);
  });

  it("opens no session for a customer", async () => {
    const customer = await anAccount();
    await signIn(customer);
    expect((await sessionsOf(customer.id)).map(({ id }) => id)).toEqual([customer.sessionId]);
  });

  it("keeps the typed address in its form, and never the password", async () => {
    const { answer } = await signIn(
      { email: '"><script>x</script>' },
      { password: "hunter2222", next: "/admin/orders" },
    );
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"');
    expect(answer.html).toMatch(/aria-invalid="true"/);
    expect(answer.html).toContain('name="next" value="/admin/orders"');
    expect(answer.html).not.toContain("hunter2222");
    expect(answer.html).not.toContain("<script>x");
  });

  it("is limited by address, and says how long to wait", async () => {
    const { email } = await anAccount({ role: "admin" });
    const { post } = aVisitor();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(SIGN_IN, { email: "x", password: "x" })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    const refused = await post(SIGN_IN, { email, password: PASSWORD });
    expect(refused.status).toBe(429);
    const seconds = refused.headers.get("Retry-After");
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(refused.html).toContain(`Too many requests. Try again in ${seconds} s`);
    expect(refused.html).toContain(`value="${email}"`);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await signIn({ email })).answer.status).toBe(303);
  });
});

describe("signing out", () => {
  it("ends the session at once, for the cookie and for any copy of it", async () => {
    const { jar, post, get, id, sessionId } = await anAdministrator();
    const copy = aVisitor(Object.fromEntries(jar));
    expect((await copy.get("/admin")).status).toBe(200);
    expect((await post("/admin/sign-out")).location).toBe(SIGN_IN);
    expect(jar.has(COOKIE)).toBe(false);
    expect(isOut(await copy.get("/admin"))).toBe(true);
    const session = (await sessionsOf(id)).find((each) => each.id === sessionId);
    expect(session?.endedAt).not.toBeNull();
    const page = await get(SIGN_IN);
    expect(page.html).toContain("You are signed out.");
    expect((await get(SIGN_IN)).html).not.toContain("You are signed out.");
  });

  it("does nothing for an unknown visitor", async () => {
    expect((await aVisitor().post("/admin/sign-out")).location).toBe(SIGN_IN);
    expect((await aVisitor({ [COOKIE]: "nonsense" }).post("/admin/sign-out")).location).toBe(SIGN_IN);
  });
});

describe("a cookie", () => {
  const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

  /** A visitor whose token and session are this many minutes old. */
  async function anOldSession(made: number, began = made) {
    const { id: userId, sessionId } = await aUser({ role: "admin" });
    const session = {
      ...beginSession({ userId, sessionId, authenticatedAt: minutesAgo(made) }, minutesAgo(made)),
      signedInAt: Math.floor(minutesAgo(began) / 1000),
    };
    const { token } = await signPanelToken(settings, session);
    return { token, ...aVisitor({ [COOKIE]: token }) };
  }

  it.each([
    ["an hour after it was made", 61, 61],
    ["12 hours after signing in, however young it is", 1, 12 * 60 + 1],
  ])("is refused %s", async (_, made, began) => {
    const { get, jar } = await anOldSession(made, began);
    expect(isOut(await get("/admin"))).toBe(true);
    expect(jar.has(COOKIE)).toBe(false);
  });

  it("is renewed on use when ten minutes old, but never beyond 12 hours", async () => {
    expect((await (await anOldSession(9)).get("/admin")).headers.getSetCookie()).toEqual([]);
    const eleven = await anOldSession(11);
    expect((await eleven.get("/admin")).headers.getSetCookie()[0]).toContain("Max-Age=3600");
    expect(eleven.jar.get(COOKIE)).not.toBe(eleven.token);
    expect((await eleven.get("/admin")).status).toBe(200);
    const late = (await (await anOldSession(11, 11 * 60 + 30)).get("/admin")).headers.getSetCookie()[0];
    const left = Number(/Max-Age=(\d+)/.exec(late ?? "")?.[1]);
    expect(left).toBeGreaterThan(29 * 60);
    expect(left).toBeLessThanOrEqual(30 * 60);
  });

  it("that was forged, changed, signed elsewhere or meant for the API is refused", async () => {
    const { jar, token: apiToken, id: userId, sessionId } = await anAdministrator();
    const good = jar.get(COOKIE) ?? "";
    const [head, body = "", signature = ""] = good.split(".");
    const claims = JSON.parse(atob(body.replaceAll("-", "+").replaceAll("_", "/")));
    const another = btoa(JSON.stringify({ ...claims, sub: "1" })).replaceAll("=", "");
    const elsewhere = readSettings({ ...env, ...(await newSecrets()) });
    const foreign = await signPanelToken(
      elsewhere,
      beginSession({ userId, sessionId, authenticatedAt: Date.now() }, Date.now()),
    );
    const withoutMoment = await signAccessToken(settings, { userId, sessionId, authenticatedAt: Date.now() });
    const bad = [
      ...["", "nonsense", `${head}.${another}.${signature}`, `${head}.${body}.`, `${btoa('{"alg":"none"}')}.${body}.`],
      ...[`${head}.${body}.${signature.split("").reverse().join("")}`, foreign.token, apiToken, withoutMoment.token],
    ];
    for (const token of bad) expect(isOut(await aVisitor({ [COOKIE]: token }).get("/admin")), token).toBe(true);
    expect(isOut(await aVisitor({ panel: good }).get("/admin"))).toBe(true);
    expect((await aVisitor({ [COOKIE]: good }).get("/admin")).status).toBe(200);
  });

  it("opens nothing in the API", async () => {
    const { jar } = await anAdministrator();
    const cookie = jar.get(COOKIE) ?? "";
    expect((await call("GET /account/profile", { as: cookie })).status).toBe(401);
    expect((await call("GET /account/profile", { headers: { Cookie: `${COOKIE}=${cookie}` } })).status).toBe(401);
    expect((await call("GET /admin/audit-log", { headers: { Cookie: `${COOKIE}=${cookie}` } })).status).toBe(401);
  });
});

describe("an administrator", () => {
  it.each<[string, (id: number, sessionId: string) => Promise<unknown>]>([
    ["was disabled", (id) => db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, id))],
    ["is none any more", (id) => db.update(tables.users).set({ role: "customer" }).where(eq(tables.users.id, id))],
    ["no longer exists", (id) => db.delete(tables.users).where(eq(tables.users.id, id))],
    [
      "logged out by the API",
      (_, id) => db.update(tables.sessions).set({ endedAt: Date.now() }).where(eq(tables.sessions.id, id)),
    ],
  ])("who %s is signed out with the next request", async (_, change) => {
    const { get, jar, id, sessionId } = await anAdministrator();
    expect((await get("/admin")).status).toBe(200);
    await change(id, sessionId);
    await forgetUser(env, id);
    expect(isOut(await get("/admin"))).toBe(true);
    expect(jar.has(COOKIE)).toBe(false);
  });

  it("may open more pages than the API's limit allows", async () => {
    const { get, token } = await anAdministrator();
    const pages = await Promise.all(Array.from({ length: 105 }, () => get("/admin/nothing")));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]));
    expect((await call("GET /files", { as: token })).headers.get("X-RateLimit-Remaining")).toBe("99");
  });

  it("who is signed in is not asked to sign in", async () => {
    const { get } = await anAdministrator();
    const { status, location } = await get(SIGN_IN);
    expect([status, location]).toEqual([303, "/admin"]);
  });
});

describe("without the user's limiter", () => {
  const bindings = () => ({ USER_LIMITER: failing(env.USER_LIMITER, [fault()]).namespace });

  it("an administrator is looked up, and let in or not", async () => {
    const { get, id } = await anAdministrator();
    expect((await get("/admin", bindings())).status).toBe(200);
    await db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, id));
    expect(isOut(await get("/admin", bindings()))).toBe(true);
  });

  it("and without the database nobody is let in, nor signed out", async () => {
    const { get, jar } = await anAdministrator();
    const DB = faultyDatabase("D1_ERROR: Network connection lost.");
    const { status, html } = await get("/admin", { ...bindings(), DB });
    expect(status).toBe(503);
    expect(html).not.toContain("Sign out");
    expect(jar.has(COOKIE)).toBe(true);
  });
});

it("tries once more after a link from another site, whose request carried no cookie", async () => {
  const ask = async (site: string) => {
    const { send, headers } = aVisitor();
    return send(new Request(`https://shop.test${SIGN_IN}`, { headers: { ...headers(), "Sec-Fetch-Site": site } }));
  };
  expect((await ask("cross-site")).headers.get("Refresh")).toBe("0");
  for (const site of ["same-origin", "none"]) expect((await ask(site)).headers.get("Refresh")).toBeNull();
});

describe("a form that is sent without a session", () => {
  const form = { name: "Typed <long", slug: "typed", password: "hunter2222", seen: "{}" };

  it("is not done, and waits in the sign-in page without its passwords", async () => {
    const page = await aVisitor().post("/admin/categories", form);
    expect([page.status, page.location]).toEqual([401, null]);
    expect(page.html).toContain("nothing was saved. Your input is kept");
    expect(page.html).toContain("Typed &lt;long");
    expect(page.html).not.toContain("hunter2222");
    expect(await db.select().from(tables.categories).where(eq(tables.categories.slug, "typed"))).toEqual([]);
  });

  it("is shown again to the person who signs in there, for them to send", async () => {
    const { email } = await anAccount({ role: "admin" });
    const visitor = aVisitor();
    const waiting = fieldsOf(await visitor.post("/admin/categories", form), "/admin/categories");
    const wrong = await visitor.post("/admin/categories", { ...waiting, email, password: "wrong password" });
    expect([wrong.status, visitor.jar.has(COOKIE)]).toEqual([401, false]);
    const again = fieldsOf(wrong, "/admin/categories");
    const back = await visitor.post("/admin/categories", { ...again, email, password: PASSWORD });
    expect([back.status, back.html.includes("Nothing was saved.")]).toEqual([200, true]);
    expect(back.html).not.toContain(PASSWORD);
    const typed = fieldsOf(back, "/admin/categories");
    expect(typed).toEqual({ name: [form.name], slug: [form.slug], parent_id: [""] });
    expect((await visitor.post("/admin/categories", typed)).status).toBe(303);
    expect(await db.select().from(tables.categories).where(eq(tables.categories.slug, "typed"))).toHaveLength(1);
  });

  it("is refused if somebody else saved before it was sent again", async () => {
    const { post, get, email } = await anAdministratorWithPassword();
    const { id } = await aCategory("Before");
    const path = `/admin/categories/${id}`;
    const opened = { ...fieldsOf(await get(path), path), name: "Mine" };
    await post(path, { ...opened, name: "Theirs" });
    const visitor = aVisitor();
    const waiting = fieldsOf(await visitor.post(path, opened), path);
    const back = await visitor.post(path, { ...waiting, email, password: PASSWORD });
    expect(back.html).toContain("Overwrite with my changes");
    expect((await visitor.post(path, fieldsOf(back, path))).status).toBe(412);
  });

  it("is not done by signing in while already signed in", async () => {
    const { post, email } = await anAdministratorWithPassword();
    const { id } = await anAccount();
    const path = `/admin/customers/${id}`;
    const waiting = fieldsOf(await aVisitor().post(path, { name: "Other" }), path);
    const back = await post(path, { ...waiting, email, password: PASSWORD });
    expect([back.status, back.html.includes('value="Other"')]).toEqual([200, true]);
    expect((await db.select().from(tables.users).where(eq(tables.users.id, id)).get())?.email).not.toBe(email);
  });

  it("gives a customer no more access than signing in does", async () => {
    const { email } = await anAccount();
    const visitor = aVisitor();
    const waiting = fieldsOf(await visitor.post("/admin/categories", form), "/admin/categories");
    const answer = await visitor.post("/admin/categories", { ...waiting, email, password: PASSWORD });
    expect([answer.status, visitor.jar.has(COOKIE)]).toEqual([401, false]);
  });

  describe("with a file", () => {
    const sendFile = (visitor: ReturnType<typeof aVisitor>, fields: Record<string, string>, path = "/admin/files") => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append("file", new File(["x"], "x.txt"));
      const headers = { ...visitor.headers(), Origin: ORIGIN };
      return visitor.send(new Request(`${ORIGIN}${path}`, { method: "POST", headers, body }));
    };

    it.each(["/admin/files", "/admin/files/:id/versions"])("waits without the file: %s", async (address) => {
      const { email } = await anAccount({ role: "admin" });
      const path = address.replace(":id", String((await aFile()).id));
      const visitor = aVisitor();
      const turnedAway = await sendFile(visitor, { name: "Typed", access: "public", if_match: '"seen"' }, path);
      expect([turnedAway.status, turnedAway.html.includes("Your input is kept")]).toEqual([401, true]);
      const back = await visitor.post(path, { ...fieldsOf(turnedAway, path), email, password: PASSWORD });
      expect([back.status, back.html.includes("choose the file again")]).toEqual([200, true]);
      const typed = fieldsOf(back, path);
      if (address.endsWith("versions")) expect(typed.if_match).toEqual(['"seen"']);
      else expect(typed).toMatchObject({ name: ["Typed"], access: ["public"] });
    });

    it("cannot make a page larger than a form may be", async () => {
      const long = "x".repeat(60_000);
      const fields = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field${index}`, long]));
      const { status, html } = await sendFile(aVisitor(), fields);
      expect([status, html.length < 100_000]).toEqual([413, true]);
    });
  });

  it("of another kind is dropped", async () => {
    const visitor = aVisitor();
    const headers = { ...visitor.headers(), Origin: ORIGIN, "Content-Type": "application/json" };
    const request = new Request(`${ORIGIN}/admin/categories`, { method: "POST", headers, body: "{}" });
    expect((await visitor.send(request)).status).toBe(404);
  });
});
