import { eq } from "drizzle-orm";
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { aSession } from "../support/accounts.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aRefusal, expectRefusal } from "../support/refusal.ts";
import { aKey, aUser, db, settings } from "../support/shop.ts";

type User = Awaited<ReturnType<typeof aUser>>;

const { tokenKeys } = settings;
const [published] = tokenKeys.published.keys;
const header = { alg: "EdDSA", kid: tokenKeys.kid };
const bytes = (text: string) => new TextEncoder().encode(text);
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

const claimsOf = (user: User): JWTPayload => ({
  iss: settings.tokenIssuer,
  aud: "storefront-api",
  sub: String(user.id),
  sid: user.sessionId,
  auth_time: secondsFromNow(0),
  iat: secondsFromNow(0),
  exp: secondsFromNow(3600),
});

/** A token signed with the deployment's own key, with claims that the deployment would never issue. */
const ours = async (user: User, claims: Record<string, unknown>) =>
  new SignJWT({ ...claimsOf(user), ...claims }).setProtectedHeader(header).sign(await tokenKeys.privateKey);

const withHmac = (user: User, secret: string) =>
  new SignJWT(claimsOf(user)).setProtectedHeader({ ...header, alg: "HS256" }).sign(bytes(secret));

const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const spliced = (token: string, index: number, value: unknown) =>
  token.split(".").with(index, segment(value)).join(".");

const forged: Record<string, (user: User) => string | Promise<string>> = {
  "that is not signed": (user) => new UnsecuredJWT(claimsOf(user)).encode(),
  "that says alg none under a real signature": (user) => spliced(user.token, 0, { ...header, alg: "none" }),
  "that says alg none and nothing else": (user) => `${segment({ alg: "none" })}.${segment(claimsOf(user))}.`,
  "signed by another key": async (user) => {
    const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
    return new SignJWT(claimsOf(user)).setProtectedHeader(header).sign(privateKey);
  },
  "that brings the key it was signed by": async (user) => {
    const { privateKey, publicKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const jwk = await crypto.subtle.exportKey("jwk", publicKey);
    return new SignJWT(claimsOf(user))
      .setProtectedHeader({ alg: "EdDSA", jwk: { ...jwk, kty: "OKP" } })
      .sign(privateKey);
  },
  "signed by HS256 with the public key's JSON": (user) => withHmac(user, JSON.stringify(published)),
  "signed by HS256 with the whole key set's JSON": (user) => withHmac(user, JSON.stringify(tokenKeys.published)),
  "signed by HS256 with the public key": (user) => withHmac(user, published?.x ?? ""),
  "whose subject was changed": (user) => spliced(user.token, 1, { ...claimsOf(user), sub: String(user.id + 1) }),
  "that has expired": (user) => ours(user, { exp: secondsFromNow(-1) }),
  "that never expires": (user) => ours(user, { exp: undefined }),
  "that is not valid yet": (user) => ours(user, { nbf: secondsFromNow(600) }),
  "of another issuer": (user) => ours(user, { iss: "another-shop" }),
  "of no issuer": (user) => ours(user, { iss: undefined }),
  "for another audience": (user) => ours(user, { aud: "download" }),
  "of no session": (user) => ours(user, { sid: undefined }),
  "of nobody": (user) => ours(user, { sub: undefined }),
  "whose life was made longer": (user) => spliced(user.token, 1, { ...claimsOf(user), exp: secondsFromNow(7200) }),
  "of a key that is not known": (user) => spliced(user.token, 0, { ...header, kid: "other" }),
  "without its signature": ({ token }) => token.slice(0, token.lastIndexOf(".") + 1),
  "cut short": ({ token }) => token.slice(0, -1),
  twice: ({ token }) => `${token}.${token}`,
  "of dots": () => "..",
  "that is a refresh token": async ({ id }) => (await aSession(id)).refreshToken,
};

/** Tokens that were signed here, of people and sessions that have to be looked up. */
const ended: Record<string, (user: User) => Promise<string>> = {
  "of a user who never was": (user) => ours(user, { sub: "999999999" }),
  "of a user whose id is none": (user) => ours(user, { sub: "abc" }),
  "of a user who was deleted": async (user) => {
    await db.delete(tables.users).where(eq(tables.users.id, user.id));
    return user.token;
  },
  "of a user who was disabled": async (user) => {
    await db.update(tables.users).set({ disabledAt: Date.now() }).where(eq(tables.users.id, user.id));
    return user.token;
  },
  "of a session that was ended": async (user) => {
    await db.update(tables.sessions).set({ endedAt: Date.now() }).where(eq(tables.sessions.id, user.sessionId));
    return user.token;
  },
};

const ask = (authorization: string) => call("GET /account/profile", { headers: { Authorization: authorization } });

async function expectUnauthorized(authorization: string) {
  const answer = await ask(authorization);
  expectRefusal(answer, 401);
  expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
  expect(answer.body.data).toBeUndefined();
}

it("accepts the token that the other tests forge", async () => {
  const user = await aUser();
  expect((await ask(`Bearer ${await ours(user, {})}`)).status).toBe(200);
});

it.each(Object.entries(forged))("refuses a token %s, without any I/O", async (_, forge) => {
  const token = await forge(await aUser());
  await expectUnauthorized(`Bearer ${token}`);
  const { bindings, trips } = counted();
  const { status, body } = await callWith(bindings, "GET /files", { as: token });
  expect([status, body]).toEqual([401, aRefusal("invalid_token")]);
  expect(trips).toEqual({ d1: 0, durableObjects: 0, r2: 0 });
});

it.each(Object.entries(ended))("refuses a token %s", async (_, end) => {
  await expectUnauthorized(`Bearer ${await end(await aUser())}`);
});

describe("an API key", () => {
  it("is refused with one character changed, at every position", async () => {
    const { key } = await aKey();
    expect((await call("GET /cart", { as: key })).status).toBe(200);
    for (const [index, character] of [...key].entries()) {
      const other = character === "x" ? "y" : "x";
      await expectUnauthorized(`Bearer ${key.slice(0, index)}${other}${key.slice(index + 1)}`);
    }
  });

  it.each<[string, (key: string) => string]>([
    ["cut short", (key) => key.slice(0, -1)],
    ["with one character more", (key) => `${key}0`],
    ["in capitals", (key) => key.toUpperCase()],
    ["with a prefix in capitals", (key) => key.replace("sfk_", "SFK_")],
    ["that is its prefix", () => "sfk_"],
    ["that is its displayed start", (key) => key.slice(0, 12)],
    ["backwards", (key) => [...key].toReversed().join("")],
    ["percent-encoded", (key) => key.replace("_", "%5F")],
  ])("is refused %s", async (_, spoil) => {
    await expectUnauthorized(`Bearer ${spoil((await aKey()).key)}`);
  });
});

it.each<[string, (credential: string) => string]>([
  ["is empty", () => ""],
  ["is blank", () => " "],
  ["has a scheme alone", () => "Bearer"],
  ["has a scheme and blanks", () => "Bearer   "],
  ["has no scheme", (credential) => credential],
  ["is of the scheme Basic", (credential) => `Basic ${btoa(`${credential}:`)}`],
  ["is of the scheme Token", (credential) => `Token ${credential}`],
  ["is of the scheme Digest", () => 'Digest username="ada", realm="storefront"'],
  ["runs the two together", (credential) => `Bearer${credential}`],
  ["quotes the credential", (credential) => `Bearer "${credential}"`],
  ["has a comma after it", (credential) => `Bearer ${credential},`],
  ["has two credentials", (credential) => `Bearer ${credential} ${credential}`],
  ["was sent twice", (credential) => `Bearer ${credential}, Bearer ${credential}`],
  ["names the scheme twice", (credential) => `Bearer Bearer ${credential}`],
  ["is 8 KB long", () => `Bearer ${"x".repeat(8192)}`],
  ["is an API key of 8 KB", () => `Bearer sfk_${"x".repeat(8192)}`],
])("refuses an Authorization header that %s, including where none is needed", async (_, spoil) => {
  const user = await aUser();
  await expectUnauthorized(spoil(user.token));
  // Calls the app directly, because workerd drops empty headers on the way to the Worker.
  expectRefusal(await callWith({}, "GET /files", { headers: { Authorization: spoil(user.token) } }), 401);
});

it.each(["Bearer", "bearer", "BEARER"])("accepts the scheme as %s", async (scheme) => {
  const user = await aUser();
  expect((await ask(`${scheme} ${user.token}`)).status).toBe(200);
});
