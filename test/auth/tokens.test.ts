import { env } from "cloudflare:workers";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { newSecrets } from "../../scripts/secrets.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { anAccount, aSession, PASSWORD } from "../support/accounts.ts";
import { type Answer, call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aRefusal } from "../support/refusal.ts";
import { aKey, aUser, settings } from "../support/shop.ts";

const JWKS = "GET /.well-known/jwks.json";
const HOUR_S = 3600;

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

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

describe("the published keys", () => {
  it("verify a token elsewhere, and contain nothing private", async () => {
    const { token, id } = await aUser();
    const { status, headers, body } = await call(JWKS);
    expect(status).toBe(200);
    expect(headers.get("Cache-Control")).toMatch(/^public/);
    const { payload } = await jwtVerify(token, createLocalJWKSet(body), {
      algorithms: ["EdDSA"],
      issuer: env.TOKEN_ISSUER,
      audience: "storefront-api",
    });
    expect(payload.sub).toBe(String(id));
    for (const key of body.keys) {
      expect(key).toEqual({
        kty: "OKP",
        crv: "Ed25519",
        x: expect.any(String),
        kid: expect.any(String),
        use: "sig",
        alg: "EdDSA",
      });
    }
  });

  it("rotate without signing anyone out: the newest signs, and every listed one verifies", async () => {
    const user = await aUser();
    const session = await aSession(user.id);
    const [fresh] = JSON.parse((await newSecrets()).TOKEN_KEYS);
    const both = { TOKEN_KEYS: JSON.stringify([fresh, ...JSON.parse(env.TOKEN_KEYS)]) };
    const alone = { TOKEN_KEYS: JSON.stringify([fresh]) };

    const { body: published } = await callWith(both, JWKS);
    expect(published.keys.map(({ kid }: { kid: string }) => kid)).toEqual([fresh.kid, settings.tokenKeys.kid]);
    const refreshed = await callWith(both, "POST /auth/refresh", { body: { refresh_token: session.refreshToken } });
    expect(decodeProtectedHeader(refreshed.body.data.token).kid).toBe(fresh.kid);
    for (const as of [user.token, refreshed.body.data.token]) {
      expect((await callWith(both, "GET /account/profile", { as })).status).toBe(200);
      await jwtVerify(as, createLocalJWKSet(published));
    }
    expectRefusal(await callWith(alone, "GET /account/profile", { as: user.token }));
    expect((await callWith(alone, "GET /account/profile", { as: refreshed.body.data.token })).status).toBe(200);
  });
});

describe("a token that was not signed here for this purpose, or has expired, is refused without any I/O", () => {
  const header = { alg: "EdDSA", kid: settings.tokenKeys.kid };
  const now = Math.floor(Date.now() / 1000);

  const signed = async (change: Record<string, unknown>, key = settings.tokenKeys.privateKey) => {
    const { id, sessionId } = await aUser();
    const claims = {
      iss: env.TOKEN_ISSUER,
      aud: "storefront-api",
      sub: String(id),
      sid: sessionId,
      auth_time: now,
      iat: now,
    };
    return new SignJWT({ ...claims, exp: now + HOUR_S, ...change }).setProtectedHeader(header).sign(await key);
  };

  /** A genuine token whose payload was replaced. */
  const reworded = async (protectedHeader: object, claims: object) => {
    const { token } = await aUser();
    const [, , signature] = token.split(".");
    return `${encode(protectedHeader)}.${encode({ ...decodeJwt(token), ...claims })}.${signature}`;
  };

  it.each<[string, () => Promise<string>]>([
    ["one that has expired", () => signed({ iat: now - HOUR_S, exp: now })],
    ["one of another issuer", () => signed({ iss: "another shop" })],
    ["one for another audience", () => signed({ aud: "download" })],
    ["one without an expiry", () => signed({ exp: undefined })],
    ["one without a session", () => signed({ sid: undefined })],
    ["one without a subject", () => signed({ sub: undefined })],
    ["one for another user", () => reworded(header, { sub: "1" })],
    ["one with a longer life", () => reworded(header, { exp: now + 2 * HOUR_S })],
    [
      "one of another key",
      async () => signed({}, readSettings({ ...env, ...(await newSecrets()) }).tokenKeys.privateKey),
    ],
    ["one of a key that is not known", () => reworded({ ...header, kid: "other" }, {})],
    ["one that asks for no signature", async () => `${encode({ alg: "none" })}.${(await signed({})).split(".")[1]}.`],
    [
      "one signed with the public key as a secret",
      async () => {
        const [published] = settings.tokenKeys.published.keys;
        const payload = decodeJwt(await signed({}));
        return new SignJWT(payload)
          .setProtectedHeader({ ...header, alg: "HS256" })
          .sign(Buffer.from(published?.x ?? "", "base64url"));
      },
    ],
    ["half of one", async () => (await aUser()).token.slice(0, -40)],
    ["dots", async () => ".."],
    ["a refresh token", async () => (await aSession((await aUser()).id)).refreshToken],
  ])("%s", async (_, make) => {
    const { bindings, trips } = counted();
    const token = await make();
    expectRefusal(await callWith(bindings, "GET /files", { as: token }));
    expect(trips).toEqual({ d1: 0, durableObjects: 0, r2: 0 });
  });

  it("unlike one that differs from them in nothing else", async () => {
    expect((await call("GET /files", { as: await signed({}) })).status).toBe(200);
  });
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
