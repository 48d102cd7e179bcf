import { env } from "cloudflare:workers";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { type Answer, call } from "../support/call.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser, settings } from "../support/shop.ts";

const HOUR_S = 3600;

afterEach(() => {
  vi.useRealTimers();
});

function expectRefusal({ status, headers, body }: Answer) {
  expect(status).toBe(401);
  expect(headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  expect(body).toEqual(aRefusal("invalid_token"));
}

it("names its user, session and key, and is valid for an hour", async () => {
  const user = await aUser();
  const now = 1_700_000_000_999;
  const { token, expiresAt } = await signAccessToken(
    settings,
    { userId: user.id, sessionId: user.sessionId, authenticatedAt: now },
    now,
  );
  expect(decodeJwt(token)).toEqual({
    iss: env.TOKEN_ISSUER,
    aud: "storefront-api",
    sub: String(user.id),
    sid: user.sessionId,
    auth_time: Math.floor(now / 1000),
    iat: 1_700_000_000,
    exp: 1_700_000_000 + HOUR_S,
  });
  expect(expiresAt).toBe((1_700_000_000 + HOUR_S) * 1000);
  expect(decodeProtectedHeader(token)).toEqual({ alg: "EdDSA", kid: settings.tokenKeys.kid });
});

it("expires after its hour, also for users who used it before", async () => {
  const { token } = await aUser();
  vi.useFakeTimers({ toFake: ["Date"] });
  expect((await call("GET /account/profile", { as: token })).status).toBe(200);
  vi.setSystemTime(Date.now() + HOUR_S * 1000);
  expectRefusal(await call("GET /account/profile", { as: token }));
});

// A browser that returns after a while still sends the token of an ended session. It must be able to sign in again.

let expired: string;
let ended: string;

beforeAll(async () => {
  const [user, out] = [await aUser(), await aUser()];
  const now = Math.floor(Date.now() / 1000);
  expired = await new SignJWT({ sid: user.sessionId, auth_time: now - 7200 })
    .setProtectedHeader({ alg: "EdDSA", kid: settings.tokenKeys.kid })
    .setIssuer(settings.tokenIssuer)
    .setAudience("storefront-api")
    .setSubject(String(user.id))
    .setIssuedAt(now - 7200)
    .setExpirationTime(now - 3600)
    .sign(await settings.tokenKeys.privateKey);
  await call("POST /auth/logout", { as: out.token });
  ended = out.token;
});

let made = 0;
const requests: [line: string, body: () => Promise<unknown>, status: number][] = [
  ["POST /auth/login", async () => ({ email: (await anAccount()).email, password: PASSWORD }), 200],
  ["POST /auth/signup", async () => ({ email: `lapsed-${++made}@shop.test`, password: PASSWORD, name: "New" }), 201],
  ["POST /auth/refresh", async () => ({ refresh_token: (await aSession((await aUser()).id)).refreshToken }), 200],
];

describe.each([
  ["has expired", () => expired],
  ["belongs to a session that ended", () => ended],
])("a user token that %s", (_, token) => {
  it.each(requests)(
    "counts as no credential for %s, and its address is limited like a stranger's",
    async (line, body, status) => {
      const answer = await call(line, { as: token(), body: await body() });
      expect([answer.status, answer.body.message]).toEqual([status, expect.any(String)]);
      expect(answer.headers.get("RateLimit-Policy")).toMatch(/^"(sign-in|sign-up|anonymous)"/);
    },
  );

  it.each(["GET /files", "GET /account/profile", "POST /auth/logout", "GET /nowhere"])(
    "is 401 for %s",
    async (line) => {
      const body = line.startsWith("POST") ? {} : undefined;
      expect((await call(line, { as: token(), body })).status).toBe(401);
    },
  );
});

it.each<[string, () => Promise<string>]>([
  ["is no token", async () => "nonsense"],
  ["was signed by nobody here", async () => `${expired.slice(0, -8)}AAAAAAAA`],
  ["is a revoked API key", async () => (await aKey({ revokedAt: Date.now() })).key],
])("a credential that %s is still 401 there", async (_, credential) => {
  for (const [line, body] of requests) {
    expect((await call(line, { as: await credential(), body: await body() })).status, line).toBe(401);
  }
});
