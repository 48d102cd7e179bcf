import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { newSecrets } from "../scripts/secrets.ts";
import { app } from "../src/app.ts";
import { refuseForgedKeys } from "../src/platform/auth/api-keys/forged-keys.ts";
import { mintApiKey, startOf } from "../src/platform/auth/api-keys/format.ts";
import { hashSecret } from "../src/platform/auth/secrets.ts";
import { readSettings } from "../src/platform/settings/settings.ts";
import { callWith, ORIGIN, requestTo } from "./support/call.ts";
import { aRefusal } from "./support/refusal.ts";
import { aFile, aKey, aUser } from "./support/shop.ts";

const [jwk] = JSON.parse(env.TOKEN_KEYS);
const withKey = (changes: Record<string, unknown>) => JSON.stringify([{ ...jwk, ...changes }]);
const [signingKey] = JSON.parse(env.SIGNING_KEYS);
const random = env.LINK_SECRET;

const readWith = (changes: Record<string, string | undefined>) => () => readSettings({ ...env, ...changes } as Env);

const bad: [name: string, why: string, value: string | undefined][] = [
  ...["API_KEY_SECRET", "LINK_SECRET"].flatMap((name): [string, string, string | undefined][] => [
    [name, "missing", undefined],
    [name, "empty", ""],
    [name, "short", random.slice(0, 31)],
    [name, "one character repeated", "x".repeat(64)],
    [name, "two words repeated", "changeme".repeat(8)],
    [name, "a sentence to be replaced", "replace-me-with-a-long-random-secret-value"],
    [name, "a placeholder in brackets", "<put-your-32-character-random-string-here>"],
    [name, "an example's words", "this-is-not-a-secret-change-it-before-use"],
    [name, "a list with an empty place", `${random},`],
    [name, "a list whose second is short", `${random},short`],
    [name, "a list whose second is a placeholder", `${random},${"changeme".repeat(8)}`],
  ]),
  ["TOKEN_KEYS", "missing", undefined],
  ["TOKEN_KEYS", "empty", ""],
  ["TOKEN_KEYS", "no JSON", "not json"],
  ["TOKEN_KEYS", "null", "null"],
  ["TOKEN_KEYS", "a key outside of a list", JSON.stringify(jwk)],
  ["TOKEN_KEYS", "an empty list", "[]"],
  ["TOKEN_KEYS", "a list of words", '["key"]'],
  ["TOKEN_KEYS", "a public key", withKey({ d: undefined })],
  ["TOKEN_KEYS", "a key without a name", withKey({ kid: undefined })],
  ["TOKEN_KEYS", "a key with an empty name", withKey({ kid: "" })],
  ["TOKEN_KEYS", "a key of another curve", withKey({ crv: "X25519" })],
  ["TOKEN_KEYS", "a key of another kind", withKey({ kty: "EC", crv: "P-256" })],
  ["TOKEN_KEYS", "a key cut short", withKey({ d: jwk.d.slice(0, -4) })],
  ["TOKEN_KEYS", "a public part cut short", withKey({ x: jwk.x.slice(0, -4) })],
  ["TOKEN_KEYS", "two keys of one name", JSON.stringify([jwk, { ...jwk }])],
  ["TOKEN_KEYS", "a good key and a bad one", JSON.stringify([jwk, {}])],
  ["SIGNING_KEYS", "missing", undefined],
  ["SIGNING_KEYS", "a public key", JSON.stringify([{ ...signingKey, d: undefined }])],
  ["SIGNING_KEYS", "a key of another curve", JSON.stringify([{ ...signingKey, crv: "P-384" }])],
  ["SIGNING_KEYS", "a key of another kind", JSON.stringify([jwk])],
  ["TOKEN_ISSUER", "empty", ""],
  ["CURRENCY", "missing", undefined],
  ["CURRENCY", "a symbol", "$"],
  ["CURRENCY", "in small letters", "usd"],
  ["PUBLIC_CATALOG", "another word", "yes"],
];

it.each(bad)("refuses %s that is %s, in a sentence that names it and says what to do", (name, _, value) => {
  expect(readWith({ [name]: value })).toThrow(new RegExp(`^${name} .+npm start.+docs/deploy\\.md`));
});

it("never reveals the secret", () => {
  for (const [name, , value] of bad) {
    let message = "";
    try {
      readWith({ [name]: value })();
    } catch (error) {
      message = String(error);
    }
    for (const secret of [value, jwk.d, random]) if (secret && secret.length > 8) expect(message).not.toContain(secret);
  }
});

it("accepts the result of newSecrets, every time", async () => {
  for (let n = 0; n < 20; n++) expect(readWith(await newSecrets())).not.toThrow();
});

it.each([
  ["GET /products", undefined],
  ["GET /products", "sfk_an-api-key"],
  ["GET /.well-known/jwks.json", undefined],
])("answers 500 without the cause if a deployment is not set up: %s as %s", async (line, as) => {
  const context = createExecutionContext();
  const fetch = refuseForgedKeys(app.fetch);
  const response = await fetch(
    requestTo(line, { as }),
    { ...env, LINK_SECRET: "short", DEVELOPMENT: "false" },
    context,
  );
  expect([response.status, response.headers.get("Cache-Control")]).toEqual([500, "no-store"]);
  const body = await response.text();
  expect(JSON.parse(body)).toEqual(aRefusal("internal_error"));
  expect(body).not.toMatch(/SECRET|short/);
});

it.each([
  ["LINK_SECRET", undefined],
  ["TOKEN_KEYS", ""],
  ["CURRENCY", undefined],
  ["PAYPAL_CLIENT_ID", "half of a provider"],
])(
  "names %s in the answer when it is missing in development, and in production nowhere but in the log",
  async (name, value) => {
    const ask = async (DEVELOPMENT: string | undefined) => {
      const settings = { ...env, [name]: value, DEVELOPMENT } as Env;
      const response = await app.fetch(requestTo("GET /products", {}), settings, createExecutionContext());
      return [response.status, await response.json()];
    };
    const named = { message: expect.stringMatching(/^(PAYPAL_\w+|[A-Z_]+) .+npm start/) };
    expect(await ask("true")).toMatchObject([500, { ...aRefusal("internal_error"), ...named }]);
    for (const production of ["false", undefined, ""]) {
      expect(await ask(production)).toEqual([500, aRefusal("internal_error")]);
      expect(JSON.stringify(await ask(production))).not.toMatch(new RegExp(`${name}|npm start`));
    }
  },
);

describe("two TOKEN_KEYS", () => {
  const rotated = async () => {
    const [newest] = JSON.parse((await newSecrets()).TOKEN_KEYS);
    return { newest, TOKEN_KEYS: JSON.stringify([newest, jwk]) };
  };

  it("keep everybody signed in, and the newest signs", async () => {
    const { newest, TOKEN_KEYS } = await rotated();
    const before = await aUser();
    const ask = (as: string) => callWith({ TOKEN_KEYS }, "GET /account/profile", { as });
    expect((await ask(before.token)).status).toBe(200);
    const account = { email: "rotated@shop.test", password: "correct horse", name: "New" };
    const { token } = (await callWith({ TOKEN_KEYS }, "POST /auth/signup", { body: account })).body.data;
    expect(decodeProtectedHeader(token)).toEqual({ alg: "EdDSA", kid: newest.kid });
    expect((await ask(token)).status).toBe(200);
  });

  it("are both published, without their private parts", async () => {
    const { newest, TOKEN_KEYS } = await rotated();
    const { body } = await callWith({ TOKEN_KEYS }, `GET ${ORIGIN}/.well-known/jwks.json`);
    expect(body.keys).toMatchObject([
      { kid: newest.kid, x: newest.x },
      { kid: jwk.kid, x: jwk.x },
    ]);
    expect(JSON.stringify(body)).not.toContain(newest.d);
    expect(JSON.stringify(body)).not.toContain(jwk.d);
  });

  it("end the tokens of a key that is removed", async () => {
    const [newest] = JSON.parse((await newSecrets()).TOKEN_KEYS);
    const { token } = await aUser();
    const answer = await callWith({ TOKEN_KEYS: JSON.stringify([newest]) }, "GET /account/profile", { as: token });
    expect(answer.status).toBe(401);
  });
});

describe("a list of secrets", () => {
  it("in API_KEY_SECRET accepts keys of the older one, and refuses them when it is removed", async () => {
    const { API_KEY_SECRET: newest } = await newSecrets();
    const { key } = await aKey();
    const ask = (secrets: string, as: string) => callWith({ API_KEY_SECRET: secrets }, "GET /cart", { as });
    expect((await ask(`${newest},${env.API_KEY_SECRET}`, key)).status).toBe(200);
    expect((await ask(`${newest}, ${env.API_KEY_SECRET}`, key)).status).toBe(200);
    expect((await ask(newest, key)).status).toBe(401);
  });

  it("in API_KEY_SECRET mints under the newest", async () => {
    const { API_KEY_SECRET: newest } = await newSecrets();
    const both = readSettings({ ...env, API_KEY_SECRET: `${newest},${env.API_KEY_SECRET}` });
    const minted = mintApiKey(both.apiKeySecrets);
    const { key } = await aKey({ start: startOf(minted), hash: hashSecret(minted) });
    expect(key).not.toBe(minted);
    expect((await callWith({ API_KEY_SECRET: newest }, "GET /cart", { as: minted })).status).toBe(200);
    expect((await callWith({}, "GET /cart", { as: minted })).status).toBe(401);
  });

  it("in LINK_SECRET opens links signed with the older one", async () => {
    const { LINK_SECRET: newest } = await newSecrets();
    const file = await aFile({ content: "x".repeat(70_000) });
    const { body } = await callWith({}, `GET /download-file?file_id=${file.id}`);
    const open = (secrets: string) => callWith({ LINK_SECRET: secrets }, `GET ${body.data.url}`);
    expect((await open(`${newest},${env.LINK_SECRET}`)).status).toBe(200);
    expect((await open(newest)).status).toBe(403);
  });
});
