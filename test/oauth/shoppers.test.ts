import { describe, expect, it, vi } from "vitest";
import { deleteExpiredSessions } from "../../src/accounts/users/sessions/sessions.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call, ORIGIN } from "../support/call.ts";
import { fieldsOf } from "../support/panel.ts";
import { aRefusal } from "../support/refusal.ts";
import { aProduct, db } from "../support/shop.ts";
import { codeOf, giveFactor, SECRET } from "../support/two-factor.ts";
import {
  AUTHORIZE,
  aConnectedApp,
  aProof,
  aRegisteredClient,
  aShopperCode,
  askFor,
  exchange,
  postForm,
  refresh,
  returnOf,
  signInToConsent as signIn,
} from "./support.ts";

const ALL = "profile addresses orders buy";

const statusOf = async (line: string, as: string, body?: object) =>
  (await call(line, { as, ...(body && { body }) })).status;

it("tells shoppers in the shop's look what an app may do, and asks them to sign in", async () => {
  const account = await anAccount();
  const { shown, answer } = await signIn(account, askFor(await aRegisteredClient(), { scope: "profile buy" }));
  expect(shown.html).toContain("See your name, e-mail address and wallet balance");
  expect(shown.html).toContain("pay with your wallet");
  expect(shown.html).not.toContain("saved addresses");
  expect(Object.fromEntries(returnOf(answer).searchParams)).toEqual({
    code: expect.stringMatching(/^sfc_/),
    state: "s t&te",
    iss: ORIGIN,
  });
});

it("opens no session with the sign-in but the app's, which ends unless the app exchanges its code", async () => {
  const account = await anAccount();
  const open = async () =>
    (await call("GET /account/sessions", { as: account.token })).body.data.map(
      (session: { app: string | null }) => session.app,
    );
  const sent = await aShopperCode(account);
  await aShopperCode(account);
  expect(await open()).toEqual(["Mailer", "Mailer", null]);
  expect((await exchange(sent)).status).toBe(200);
  vi.useFakeTimers({ now: Date.now() + 10 * 60_000, toFake: ["Date"] });
  await deleteExpiredSessions(db, Date.now());
  expect(await open()).toEqual(["Mailer", null]);
  vi.useRealTimers();
});

it("lets an app do what its scopes say", async () => {
  const { token, body } = await aConnectedApp();
  expect(body).toMatchObject({ token_type: "Bearer", expires_in: expect.any(Number), scope: ALL });
  const product = await aProduct();
  for (const path of [
    "/account/profile",
    "/account/addresses",
    "/account/orders",
    "/account/packages",
    "/files",
    "/cart",
  ])
    expect([path, await statusOf(`GET ${path}`, token)]).toEqual([path, 200]);
  expect(await statusOf("POST /cart", token, { product_id: product.id, quantity: 1 })).toBe(201);
});

describe("an app", () => {
  it.each([
    ["GET /account/profile", "profile"],
    ["GET /account/addresses", "addresses"],
    ["GET /account/orders", "orders"],
    ["GET /account/transactions", "orders"],
    ["GET /account/packages", "orders"],
    ["GET /files", "orders"],
    ["GET /cart", "buy"],
  ])("may not %s without its scope", async (line, scope) => {
    const others = ALL.split(" ").filter((name) => name !== scope);
    const { token } = await aConnectedApp({ scope: others.join(" ") });
    const { status, headers } = await call(line, { as: token });
    expect(status).toBe(403);
    expect(headers.get("WWW-Authenticate")).toContain(`error="insufficient_scope", scope="${scope}"`);
  });

  it.each([
    ["PUT /account/profile", { name: "Taken over" }],
    ["POST /account/addresses", {}],
    ["GET /account/sessions", undefined],
    ["DELETE /account/sessions", undefined],
    ["POST /auth/reauthenticate", { current_password: PASSWORD }],
    ["GET /account/two-factor", undefined],
    ["GET /account/export", undefined],
    ["POST /auth/logout", {}],
  ])("may never %s", async (line, body) => {
    const { token } = await aConnectedApp();
    const refused = await call(line, { as: token, body });
    expect([refused.status, refused.body]).toEqual([403, aRefusal("own_session_required")]);
  });

  it("has none of the powers that its shopper has as staff", async () => {
    const { token } = await aConnectedApp({ account: await anAccount({ role: "admin" }) });
    for (const line of ["GET /admin/orders", "GET /admin/api-keys", "GET /admin/users"])
      expect(await statusOf(line, token)).toBe(403);
  });

  it("is refused at the next request after the shopper removes it", async () => {
    const { shopper, token, clientId, refreshToken } = await aConnectedApp();
    expect(await statusOf("GET /account/profile", token)).toBe(200);
    const { body } = await call("GET /account/sessions", { as: shopper.token });
    const own = body.data.find(({ app }: { app: string | null }) => app === "Wardrobe");
    expect(body.data.map(({ app }: { app: string | null }) => app).sort()).toEqual(["Wardrobe", null]);
    expect(await statusOf(`DELETE /account/sessions/${own.id}`, shopper.token)).toBe(204);
    expect(await statusOf("GET /account/profile", token)).toBe(401);
    expect((await refresh(clientId, refreshToken)).body.error).toBe("invalid_grant");
  });

  it("gets new tokens of its session, which never become the shopper's own", async () => {
    const { token, clientId, refreshToken } = await aConnectedApp();
    expect(await statusOf("POST /auth/refresh", token, { refresh_token: refreshToken })).toBe(403);
    expect((await call("POST /auth/refresh", { body: { refresh_token: refreshToken } })).status).toBe(401);
    const { status, body } = await refresh(clientId, refreshToken);
    expect([status, body.scope]).toEqual([200, ALL]);
    expect(await statusOf("GET /account/profile", body.access_token)).toBe(200);
    expect(await statusOf("PUT /account/profile", body.access_token, { name: "Taken over" })).toBe(403);
    expect((await postForm("/oauth/revoke", { client_id: clientId, token: body.refresh_token })).status).toBe(200);
    expect(await statusOf("GET /account/profile", body.access_token)).toBe(401);
  });

  it("keeps its refresh token after it asked for another resource", async () => {
    const { clientId, refreshToken } = await aConnectedApp();
    const elsewhere = await refresh(clientId, refreshToken, { resource: `${ORIGIN}/mcp` });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([400, "invalid_target"]);
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
    expect((await refresh(clientId, refreshToken, { resource: `${ORIGIN}/api/v1` })).status).toBe(200);
    vi.useRealTimers();
  });

  it("loses its session when its code comes back", async () => {
    const { token, sent } = await aConnectedApp();
    expect((await exchange(sent)).body.error).toBe("invalid_grant");
    expect(await statusOf("GET /account/profile", token)).toBe(401);
  });

  it.each(["access token", "refresh token"])("is disconnected when it revokes its %s", async (kind) => {
    const { token, clientId, refreshToken } = await aConnectedApp();
    const sent = { token: kind === "access token" ? token : refreshToken };
    expect((await postForm("/oauth/revoke", { client_id: await aRegisteredClient(), ...sent })).status).toBe(200);
    expect(await statusOf("GET /account/profile", token)).toBe(200);
    expect((await postForm("/oauth/revoke", { client_id: clientId, ...sent })).status).toBe(200);
    expect(await statusOf("GET /account/profile", token)).toBe(401);
    expect((await refresh(clientId, refreshToken)).body.error).toBe("invalid_grant");
  });

  it("cannot use its token for another resource", async () => {
    const { token } = await aConnectedApp({ resource: "/mcp", scope: "dev.ucp.shopping.order:read" });
    const { status, body } = await call("GET /account/profile", { as: token });
    expect([status, body.message]).toEqual([401, "The access token is only for /mcp"]);
  });
});

it("refuses wrong passwords, asks for a second factor, and reports a cancelled consent", async () => {
  const account = await anAccount();
  await giveFactor(account.id);
  const [clientId, { verifier, challenge }] = [await aRegisteredClient(), aProof()];
  const query = askFor(clientId, { scope: "profile", code_challenge: challenge });
  const { visitor, shown, answer } = await signIn(account, query);
  expect(answer.headers.get("Refresh")).toBeNull();
  const wrong = await visitor.post(AUTHORIZE, {
    ...fieldsOf(shown, AUTHORIZE),
    email: account.email,
    password: "wrong",
  });
  expect([wrong.status, wrong.headers.get("Refresh")]).toEqual([401, null]);
  const done = await visitor.post(AUTHORIZE, { ...fieldsOf(answer, AUTHORIZE), code: codeOf(SECRET) });
  const code = returnOf(done).searchParams.get("code") ?? "";
  expect(code).toMatch(/^sfc_/);
  expect((await exchange({ client_id: clientId, code, code_verifier: verifier })).status).toBe(200);
  const denied = await visitor.post(AUTHORIZE, { ...fieldsOf(shown, AUTHORIZE), deny: "true" });
  expect(returnOf(denied).searchParams.get("error")).toBe("access_denied");
});
