import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { script } from "../payments/support/stand-in.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call, callWith, ORIGIN } from "../support/call.ts";
import { anAdministrator, aVisitor, fieldsOf } from "../support/panel.ts";
import { db } from "../support/shop.ts";
import {
  AUTHORIZE,
  aConnectedApp,
  aDescribedClient,
  anInstalledApp,
  aProof,
  aRegisteredClient,
  askFor,
  consent,
  exchange,
  postForm,
  REDIRECT,
  refresh,
  returnOf,
  STAFF,
} from "./support.ts";

const UCP_SCOPE = "dev.ucp.shopping.checkout:manage";

const formOf = (fields: Record<string, string>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});

/** The page of an authorization request, without a session. */
const ask = (query: string) => aVisitor().get(`/oauth/authorize${query}`);

describe("an authorization request that names no trustworthy address goes nowhere (RFC 6749, section 4.1.2.1)", () => {
  const cases: [string, (clientId: string) => Record<string, string | undefined>][] = [
    ["without a client", () => ({ client_id: undefined })],
    ["of an unknown client", () => ({ client_id: "app_nobody" })],
    ["without a redirect address", () => ({ redirect_uri: undefined })],
    ["to another site", () => ({ redirect_uri: "https://evil.example/callback" })],
    ["to another page of the registered site", () => ({ redirect_uri: `${REDIRECT}/more` })],
    ["to the registered address with a query", () => ({ redirect_uri: `${REDIRECT}?next=https://evil.example` })],
    ["to the registered address with a fragment", () => ({ redirect_uri: `${REDIRECT}#there` })],
    ["to the registered host before an at sign", () => ({ redirect_uri: "https://app.example@evil.example/callback" })],
    ["to the registered address in other case", () => ({ redirect_uri: REDIRECT.toUpperCase() })],
    ["to another port", () => ({ redirect_uri: "https://app.example:8443/callback" })],
    ["to another spelling of the registered path", () => ({ redirect_uri: "https://app.example/%63allback" })],
    ["to the registered path after dots", () => ({ redirect_uri: "https://app.example/x/../callback" })],
    ["to the registered address with its default port", () => ({ redirect_uri: "https://app.example:443/callback" })],
    ["to the registered host with a dot", () => ({ redirect_uri: "https://app.example./callback" })],
    ["to the registered address over plain HTTP", () => ({ redirect_uri: "http://app.example/callback" })],
    ["to a script", () => ({ redirect_uri: "javascript:alert(1)" })],
  ];

  it.each(cases)("%s", async (_, wrong) => {
    const clientId = await aRegisteredClient();
    const { status, headers, html } = await ask(askFor(clientId, wrong(clientId)));
    expect(["Location", "Refresh", "WWW-Authenticate"].map((name) => headers.get(name))).toEqual([null, null, null]);
    expect([400, 401]).toContain(status);
    expect(html).not.toContain("evil.example");
  });

  it("with two clients or two addresses", async () => {
    const clientId = await aRegisteredClient();
    for (const more of [`client_id=${clientId}`, `redirect_uri=${encodeURIComponent(REDIRECT)}`]) {
      const { status, location } = await ask(`${askFor(clientId)}&${more}`);
      expect([status, location]).toEqual([400, null]);
    }
  });
});

describe("any other wrong authorization request goes back to the client", () => {
  it.each<[string, Record<string, string | undefined>, string]>([
    ["without a response type", { response_type: undefined }, "invalid_request"],
    ["for a token in the address", { response_type: "token" }, "unsupported_response_type"],
    ["without a challenge", { code_challenge: undefined }, "invalid_request"],
    ["without a method of the challenge", { code_challenge_method: undefined }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["with a challenge that is no hash", { code_challenge: "short" }, "invalid_request"],
    ["for an unknown scope", { scope: "products:read everything" }, "invalid_scope"],
    ["for no scope", { scope: undefined }, "invalid_scope"],
    ["for scopes of staff and shoppers", { scope: "products:read profile" }, "invalid_scope"],
    ["for another site", { resource: "https://evil.example/api/v1" }, "invalid_target"],
    ["for an unknown resource", { resource: `${ORIGIN}/admin` }, "invalid_target"],
    ["for a relative resource", { resource: "/api/v1" }, "invalid_target"],
    ["for staff at the shoppers' endpoint", { resource: `${ORIGIN}/mcp` }, "invalid_scope"],
    ["for shoppers at the staff's endpoint", { resource: `${ORIGIN}/mcp/admin`, scope: "profile" }, "invalid_scope"],
    ["for the account at the agents' endpoint", { resource: `${ORIGIN}/mcp`, scope: "profile" }, "invalid_scope"],
    ["for checkouts of agents at the API", { resource: `${ORIGIN}/api/v1`, scope: UCP_SCOPE }, "invalid_scope"],
    ["for the account and checkouts of agents", { scope: `profile ${UCP_SCOPE}` }, "invalid_scope"],
    ["for staff and checkouts of agents", { scope: `products:read ${UCP_SCOPE}` }, "invalid_scope"],
  ])("%s", async (_, wrong, error) => {
    const returned = returnOf(await ask(askFor(await aRegisteredClient(), wrong)));
    expect(returned.origin + returned.pathname).toBe(REDIRECT);
    expect(Object.fromEntries(returned.searchParams)).toMatchObject({ error, state: "s t&te", iss: ORIGIN });
  });

  it("with the shop's own answer in place of one in the registered address", async () => {
    const redirectUri = `${REDIRECT}?code=stolen&state=other&iss=https%3A%2F%2Fevil.example&kept=yes`;
    const clientId = await aRegisteredClient({ redirectUris: [redirectUri] });
    const { searchParams } = returnOf(await ask(askFor(clientId, { redirect_uri: redirectUri, scope: "everything" })));
    expect(["kept", "error", "state", "iss"].map((name) => searchParams.getAll(name))).toEqual([
      ...[["yes"], ["invalid_scope"], ["s t&te"], [ORIGIN]],
    ]);
  });

  it("with a parameter that is sent twice", async () => {
    for (const [name, kept] of [
      ["scope", "s t&te"],
      ["state", null],
    ] as const) {
      const { searchParams } = returnOf(await ask(`${askFor(await aRegisteredClient())}&${name}=other`));
      expect([searchParams.get("error"), searchParams.get("state")]).toEqual(["invalid_request", kept]);
    }
  });

  it("but not by itself to one that nobody registered, because the shop would lead anywhere", async () => {
    const clientId = await aDescribedClient();
    const { status, location, headers, html } = await ask(askFor(clientId, { scope: "everything" }));
    expect([status, location, headers.get("Refresh")]).toEqual([200, null, null]);
    expect(html).toContain("app.example");
  });
});

describe("a client's description is refused", () => {
  const open = async (clientId: string) => (await ask(askFor(clientId))).status;

  it.each([
    ["under another id", { client_id: "https://app.example/other.json" }],
    ["with a secret, which it could not keep", { client_secret: "published" }],
    ["with the expiry of a secret", { client_secret_expires_at: 0 }],
    ["with a secret as its authentication", { token_endpoint_auth_method: "client_secret_basic" }],
    ["without redirect addresses", { redirect_uris: [] }],
    ["with a script as its redirect address", { redirect_uris: ["javascript:alert(1)"] }],
    ["with a page of plain HTTP", { redirect_uris: ["http://app.example/callback"] }],
    ["with data as its redirect address", { redirect_uris: ["data:text/html,x"] }],
    ["with more than 64 kB", { more: "x".repeat(70_000) }],
  ])("%s", async (_, document) => {
    expect(await open(await aDescribedClient(document))).toBe(401);
  });

  it("at an address with a fragment, also if it says so", async () => {
    const name = crypto.randomUUID();
    const clientId = `${env.STRIPE_API_URL}/clients/${name}#part`;
    const body = { client_id: clientId, redirect_uris: [REDIRECT] };
    await script({ line: `GET /clients/${name}`, about: name, times: 9, status: 200, headers: {}, body });
    expect(await open(clientId)).toBe(401);
  });

  it("behind a redirect", async () => {
    const [name, target] = [crypto.randomUUID(), await aDescribedClient()];
    await script({ line: `GET /clients/${name}`, about: name, times: 9, status: 302, headers: { Location: target } });
    expect(await open(target)).toBe(303);
    expect(await open(`${env.STRIPE_API_URL}/clients/${name}`)).toBe(401);
  });

  it.each([
    "https://192.168.0.1/client.json",
    "https://internal/client.json",
    "https://app.example",
    "https://user@app.example/client.json",
    "https://app.example/client.json#part",
    "https://app.example/a/../client.json",
    "http://app.example/client.json",
    `${ORIGIN}/client.json`,
    "ftp://app.example/client.json",
    `${env.STRIPE_API_URL}/clients/absent`,
  ])("at %s", async (clientId) => {
    expect(await open(clientId)).toBe(401);
  });
});

it("lets a program on the person's own computer choose its port, and nothing else", async () => {
  const clientId = await aRegisteredClient({
    redirectUris: ["http://127.0.0.1/callback", "com.example.app:/callback"],
  });
  const status = async (redirect_uri: string) => (await ask(askFor(clientId, { redirect_uri }))).status;
  for (const right of ["http://127.0.0.1:51234/callback", "http://127.0.0.1/callback", "com.example.app:/callback"])
    expect([right, await status(right)]).toEqual([right, 303]);
  for (const wrong of [
    "http://127.0.0.1:51234/other",
    "http://localhost:1/callback",
    "http://127.0.0.1:1@evil.example/callback",
    "http://127.0.0.1:65536/callback",
    "http://127.0.0.1:1:2/callback",
    "http://127.0.0.1:1/%63allback",
    "http://127.0.0.1:1/callback?x=1",
    "http://127.1:1/callback",
    "http://127.0.0.2:1/callback",
    "https://127.0.0.1:1/callback",
    "com.example.app:/callback/x",
  ])
    expect([wrong, await status(wrong)]).toEqual([wrong, 400]);
});

describe("a code", () => {
  async function aCode(secret?: string) {
    const clientId = await aRegisteredClient(secret === undefined ? {} : { secret });
    const { verifier, challenge } = aProof();
    const code = await consent(await anAdministrator(), askFor(clientId, { code_challenge: challenge }));
    return { client_id: clientId, code, code_verifier: verifier };
  }

  it.each<
    [string, (right: Record<string, string>) => Promise<Record<string, string>> | Record<string, string>, string]
  >([
    ["without its verifier", ({ code_verifier: _, ...rest }) => rest, "invalid_request"],
    ["with another verifier", (right) => ({ ...right, code_verifier: aProof().verifier }), "invalid_grant"],
    ["with its challenge as verifier", (right) => ({ ...right, code_verifier: "A".repeat(43) }), "invalid_grant"],
    ["of another client", async (right) => ({ ...right, client_id: await aRegisteredClient() }), "invalid_grant"],
    ["for another address", (right) => ({ ...right, redirect_uri: `${REDIRECT}/other` }), "invalid_grant"],
    ["for another resource", (right) => ({ ...right, resource: `${ORIGIN}/mcp/admin` }), "invalid_target"],
    ["that is unknown", (right) => ({ ...right, code: "sfc_unknown" }), "invalid_grant"],
    ["without a client", ({ client_id: _, ...rest }) => rest, "invalid_client"],
    ["with a secret of a client that has none", (right) => ({ ...right, client_secret: "x" }), "invalid_client"],
    ["for another grant", (right) => ({ ...right, grant_type: "password" }), "unsupported_grant_type"],
    ["for client credentials", (right) => ({ ...right, grant_type: "client_credentials" }), "unsupported_grant_type"],
  ])("%s is refused, and can still be used rightly", async (_, wrong, error) => {
    const right = await aCode();
    const refused = await exchange(await wrong(right));
    expect(refused.body).toEqual({ error, error_description: expect.any(String) });
    expect(refused.status).toBe(error === "invalid_client" ? 401 : 400);
    expect((await exchange(right)).status).toBe(200);
  });

  it("is exchanged with fields that have no value, which count as absent", async () => {
    const clientId = await aRegisteredClient();
    const { verifier, challenge } = aProof();
    const query = askFor(clientId, { resource: "", code_challenge: challenge });
    const code = await consent(await anAdministrator(), query);
    const empty = { resource: "", redirect_uri: "", client_secret: "" };
    expect((await exchange({ client_id: clientId, code, code_verifier: verifier, ...empty })).status).toBe(200);
  });

  it("that comes back ends what it was exchanged for", async () => {
    const app = await anInstalledApp();
    const again = { client_id: app.clientId, code: app.code, code_verifier: app.verifier };
    const other = await anInstalledApp({ staff: app.admin, clientId: app.clientId });
    expect((await exchange({ ...again, code_verifier: aProof().verifier })).body.error).toBe("invalid_grant");
    expect((await call("GET /products", { as: app.token })).status).toBe(200);
    expect((await exchange(again)).body.error).toBe("invalid_grant");
    expect((await call("GET /products", { as: app.token })).status).toBe(401);
    expect((await refresh(app.clientId, app.refreshToken)).body.error).toBe("invalid_grant");
    expect((await call("GET /products", { as: other.token })).status).toBe(200);
  });

  it("is exchanged by one of two at the same instant", async () => {
    const right = await aCode();
    const statuses = (await Promise.all([exchange(right), exchange(right)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 400]);
  });

  it("is read from the primary, whatever bookmark the client sends", async () => {
    const right = await aCode();
    const replica = () => {
      throw new Error("A replica may not know yet what was spent");
    };
    const primary = new Proxy(env.DB, {
      get: (target, name) => {
        const value = name === "withSession" ? replica : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const sent = { grant_type: "authorization_code", redirect_uri: REDIRECT, ...right };
    const { status } = await callWith({ DB: primary }, `POST ${ORIGIN}/oauth/token`, formOf(sent));
    expect(status).toBe(200);
  });

  it("of a client with a secret needs the secret, in one way", async () => {
    const { client_id, ...right } = await aCode("of the client");
    const basic = (secret: string) => ({
      Authorization: `Basic ${btoa(`${client_id}:${encodeURIComponent(secret)}`)}`,
    });
    expect((await exchange({ client_id, ...right })).body.error).toBe("invalid_client");
    expect((await exchange({ client_id, ...right, client_secret: "wrong" })).body.error).toBe("invalid_client");
    const wrong = await exchange(right, basic("wrong"));
    expect([wrong.status, wrong.headers.get("WWW-Authenticate")]).toEqual([401, 'Basic realm="storefront"']);
    expect((await exchange({ ...right, client_secret: "of the client" }, basic("of the client"))).body.error).toBe(
      "invalid_request",
    );
    expect((await exchange({ ...right, client_id: "app_other" }, basic("of the client"))).body.error).toBe(
      "invalid_request",
    );
    expect((await exchange(right, basic("of the client"))).status).toBe(200);
  });
});

describe("a token", () => {
  it("is never read from the address", async () => {
    const { token } = await anInstalledApp();
    expect((await call(`GET /products?access_token=${token}`)).status).toBe(401);
  });

  it("is never logged, nor are codes and verifiers", async () => {
    const lines: string[] = [];
    const spies = (["log", "info", "warn", "error", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...said) => void lines.push(JSON.stringify(said))),
    );
    const [app, connected] = [await anInstalledApp(), await aConnectedApp()];
    const codes = [{ client_id: app.clientId, code: app.code, code_verifier: app.verifier }, connected.sent];
    for (const code of codes) await exchange(code);
    for (const { clientId, refreshToken } of [app, connected]) await refresh(clientId, refreshToken);
    for (const spy of spies) spy.mockRestore();
    expect(lines.join()).toContain("/oauth/token");
    const stored = await Promise.all(
      [tables.appCodes, tables.appTokens, tables.refreshTokens, tables.auditLog, tables.events].map((table) =>
        db.select().from(table),
      ),
    );
    const secrets = [...[app, connected].flatMap(({ token, refreshToken }) => [token, refreshToken])];
    for (const secret of [...secrets, ...codes.flatMap(({ code, code_verifier }) => [code, code_verifier])])
      expect(lines.join() + JSON.stringify(stored)).not.toContain(secret);
  });
});

it("reads token requests from forms only, with each field once", async () => {
  const fields = "grant_type=refresh_token&client_id=x&refresh_token=y";
  const json = await call(`POST ${ORIGIN}/oauth/token`, { body: { grant_type: "refresh_token" } });
  expect([json.status, json.body.error]).toEqual([415, "invalid_request"]);
  const twice = await call(`POST ${ORIGIN}/oauth/token`, {
    body: `${fields}&client_id=z`,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  expect([twice.status, twice.body.error]).toEqual([400, "invalid_request"]);
  expect((await call(`GET ${ORIGIN}/oauth/token?${fields}`)).status).toBe(405);
  expect((await postForm("/oauth/token", {})).body.error).toBe("invalid_client");
});

describe("the consent page", () => {
  it("cannot be framed, nor its form be sent by another site", async () => {
    const { get, post } = await anAdministrator();
    const shown = await get(STAFF + askFor(await aRegisteredClient()));
    expect(shown.headers.get("X-Frame-Options")).toBe("DENY");
    expect(shown.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    const forged = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    const { status, headers } = await post(STAFF, fieldsOf(shown, STAFF), forged);
    expect([status, headers.get("Refresh")]).toEqual([403, null]);
  });

  it("has headers on every page, and error, that no site can frame or read it", async () => {
    const [admin, visitor, clientId] = [await anAdministrator(), aVisitor(), await aRegisteredClient()];
    const [ofStaff, ofShopper] = [askFor(clientId), askFor(clientId, { scope: "profile" })];
    const shown = await visitor.get(AUTHORIZE + ofShopper);
    const send = (method: string, body: string | null, type = "application/x-www-form-urlencoded") =>
      visitor.send(
        new Request(ORIGIN + AUTHORIZE + ofShopper, {
          ...{ method, body, headers: { ...visitor.headers(), Origin: ORIGIN, "Content-Type": type } },
        }),
      );
    const account = await anAccount();
    const answers = [
      shown,
      await visitor.get(AUTHORIZE),
      await visitor.get(AUTHORIZE + askFor("app_nobody")),
      await visitor.get(AUTHORIZE + askFor(await aDescribedClient(), { scope: "everything" })),
      await visitor.get(AUTHORIZE + ofStaff),
      await visitor.get(STAFF + ofStaff),
      await admin.get(STAFF + ofStaff),
      await admin.get(STAFF + askFor("app_nobody")),
      await (await anAdministrator({ role: "support" })).get(STAFF + ofStaff),
      await visitor.post(AUTHORIZE, { ...fieldsOf(shown, AUTHORIZE), email: account.email, password: "wrong" }),
      await visitor.post(AUTHORIZE, { ...fieldsOf(shown, AUTHORIZE), email: account.email, password: PASSWORD }),
      await visitor.post(AUTHORIZE, {}, { Origin: "null", "Sec-Fetch-Site": "none" }),
      await send("POST", "{}", "application/json"),
      await send("POST", "a".repeat(3_000_000)),
      await send("PUT", ""),
      await send("OPTIONS", null),
    ];
    const statuses = [200, 400, 401, 200, 303, 303, 200, 401, 403, 401, 200, 403, 415, 413];
    expect(answers.slice(0, statuses.length).map(({ status }) => status)).toEqual(statuses);
    for (const { headers } of answers) {
      expect(headers.get("X-Frame-Options")).toBe("DENY");
      expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
      // No other site learns the address of the page, with its code.
      expect(headers.get("Referrer-Policy")).toBe("same-origin");
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("of shoppers cannot be framed, nor its form be sent by another site", async () => {
    const [visitor, account] = [aVisitor(), await anAccount()];
    const shown = await visitor.get(AUTHORIZE + askFor(await aRegisteredClient(), { scope: "profile" }));
    expect(shown.headers.get("X-Frame-Options")).toBe("DENY");
    expect(shown.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    const fields = { ...fieldsOf(shown, AUTHORIZE), email: account.email, password: PASSWORD };
    const forged = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    const { status, headers } = await visitor.post(AUTHORIZE, fields, forged);
    expect([status, headers.get("Refresh")]).toEqual([403, null]);
    const moved = await visitor.post(AUTHORIZE, { ...fields, redirect_uri: "https://evil.example/" });
    expect([moved.status, moved.headers.get("Refresh"), moved.location]).toEqual([400, null, null]);
  });

  it("verifies the request again when its form is sent", async () => {
    const { get, post } = await anAdministrator();
    const shown = await get(STAFF + askFor(await aRegisteredClient()));
    const fields = fieldsOf(shown, STAFF);
    const moved = await post(STAFF, { ...fields, redirect_uri: "https://evil.example/" });
    expect([moved.status, moved.headers.get("Refresh"), moved.location]).toEqual([400, null, null]);
    const widened = await post(STAFF, { ...fields, permissions: ["products:read", "payments:write"] });
    expect([widened.status, widened.headers.get("Refresh")]).toEqual([400, null]);
    const none = await post(STAFF, { ...fields, permissions: [] });
    expect([none.status, none.headers.get("Refresh")]).toEqual([400, null]);
  });

  it("tells the client when the administrator cancels", async () => {
    const { get, post } = await anAdministrator();
    const shown = await get(STAFF + askFor(await aRegisteredClient()));
    const { searchParams } = returnOf(await post(STAFF, { ...fieldsOf(shown, STAFF), deny: "true" }));
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: "access_denied", state: "s t&te", iss: ORIGIN });
    expect(searchParams.get("code")).toBeNull();
  });

  it.each([
    ["changes the direction of the text", "Mail\u202Emoc.knab"],
    ["is invisible", "\u3164"],
    ["has invisible parts", "Ma\u200Biler"],
    ["covers other lines with accents", `M${"\u0301".repeat(50)}`],
    ["is longer than 100 characters", "M".repeat(101)],
  ])("shows the host of an app whose name %s", async (_, client_name) => {
    const { get } = await anAdministrator();
    const { status, html } = await get(STAFF + askFor(await aDescribedClient({ client_name })));
    expect(status).toBe(200);
    expect(html).toContain(`Install ${new URL(env.STRIPE_API_URL).host}?`);
    expect(html).not.toContain(client_name);
  });

  it("writes the name of an app as text", async () => {
    const { get } = await anAdministrator();
    const { html } = await get(STAFF + askFor(await aDescribedClient({ client_name: "<script>alert(1)</script>" })));
    expect(html).not.toContain("<script>alert");
    expect(html).toContain("&lt;script&gt;alert");
  });
});
