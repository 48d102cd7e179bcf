import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { component, verifySignature } from "http-message-sig";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newApi, settings } from "../../src/apps/new-app.ts";
import { identifyAgent } from "../../src/integrations/agents/identify.ts";
import { AgentRefused } from "../../src/integrations/agents/profile.ts";
import { database } from "../../src/platform/db/client.ts";
import { shop } from "../../src/platform/db/schema.ts";
import { signedPost, verifyRequest } from "../../src/platform/http/message-signatures.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";
import { sent } from "../payments/support/stand-in.ts";
import { anAddress, call, ORIGIN } from "../support/call.ts";
import { asAdministrator } from "../support/settings.ts";
import { db } from "../support/shop.ts";
import { signedByLibrary } from "./library.ts";
import { type Agent, anAgent, anAgentKey, signed, theKeyOfExamples } from "./support.ts";

/** The shop's agent interface, reduced to its authentication. */
const app = newApi();
app.use(settings, database);
app.all("/*", async (c) => {
  try {
    const { profile, isProven } = await identifyAgent(c);
    return c.json({ profile: profile.url, signed: isProven });
  } catch (error) {
    if (!(error instanceof AgentRefused)) throw error;
    return c.json({ code: error.code, content: error.message }, error.status);
  }
});

async function ask(request: Request) {
  const response = await app.fetch(request, env, createExecutionContext());
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

const refusalOf = async (request: Promise<Request>) => {
  const { status, body } = await ask(await request);
  return [status, body.code];
};

let as: string;

const allow = (agent_access: string, agent_hosts: string[] = []) =>
  call("PUT /admin/shop", { as, body: { agent_access, agent_hosts } });

beforeEach(async () => {
  as = await asAdministrator();
  await db.delete(shop);
  await allow("signed");
});

afterEach(() => {
  vi.useRealTimers();
});

const unsigned = (headers: Record<string, string>) =>
  new Request(`${ORIGIN}/agents-test`, { headers: { "CF-Connecting-IP": anAddress(), ...headers } });

describe("a signed request", () => {
  it.each(["P-256", "P-384", "Ed25519"] as const)("is admitted with a key of type %s", async (curve) => {
    const agent = await anAgent({ keys: [await anAgentKey(curve)] });
    const { status, body, headers } = await ask(await signed(agent));
    expect([status, body]).toEqual([200, { profile: agent.url, signed: true }]);
    expect(headers.get("RateLimit")).toMatch(/^"agents";r=\d+;t=\d+$/);
  });

  it.each(["P-256", "P-384", "Ed25519"] as const)("is admitted as another library signs it by %s", async (curve) => {
    const agent = await anAgent({ keys: [await anAgentKey(curve)] });
    expect(await ask(await signedByLibrary(agent, "/agents-test", '{"query":"cup"}'))).toMatchObject({
      status: 200,
      body: { profile: agent.url, signed: true },
    });
    const altered = signedByLibrary(agent, "/agents-test", '{"query":"cup"}', '{"query":"mug"}');
    expect(await refusalOf(altered)).toEqual([400, "digest_mismatch"]);
  });

  it("needs neither a body nor an idempotency key to read", async () => {
    expect((await ask(await signed(await anAgent(), { method: "GET", path: "/x" }))).status).toBe(200);
  });

  it("is admitted in the shape of Web Bot Auth, whose keys are named by their thumbprints", async () => {
    const shaped = async (agent: Agent, headers = { "signature-agent": `sig1="${agent.url}";type=jwks_uri` }) =>
      signed(agent, { headers }, { parameters: `;created=${Math.floor(Date.now() / 1000)};tag="web-bot-auth"` });
    const bodyOf = (key: Agent["key"]) => ({ ucp: { version: "2026-08-25" }, keys: [key.publicJwk] });
    const key = await theKeyOfExamples();
    const bot = await anAgent({ keys: [key], body: bodyOf(key) });
    expect(await ask(await shaped(bot))).toMatchObject({ status: 200, body: { profile: bot.url, signed: true } });
    const bySignature = async (parameter: string) => {
      const headers = { "signature-agent": `sig1="${bot.url}"${parameter}` };
      const parameters = `;created=${Math.floor(Date.now() / 1000)};tag="web-bot-auth"`;
      const request = await signed(bot, { headers }, { parameters, without: ["ucp-agent"] });
      request.headers.delete("UCP-Agent");
      return request;
    };
    const named = await ask(await bySignature(";type=jwks_uri"));
    expect(named).toMatchObject({ status: 200, body: { profile: bot.url, signed: true } });
    // The address of a directory names no profile.
    expect(await refusalOf(bySignature(""))).toEqual([400, "invalid_profile_url"]);
    const unsigned = await bySignature(";type=jwks_uri");
    for (const name of ["Signature", "Signature-Input"]) unsigned.headers.delete(name);
    expect(await refusalOf(Promise.resolve(unsigned))).toEqual([400, "invalid_profile_url"]);
    const other = await shaped(bot);
    other.headers.set("Signature-Agent", 'sig1="https://other.example";type=jwks_uri');
    expect(await refusalOf(Promise.resolve(other))).toEqual([401, "signature_invalid"]);
    const wrong = await theKeyOfExamples("my-key");
    const misnamed = await anAgent({ keys: [wrong], body: bodyOf(wrong) });
    expect(await refusalOf(shaped(misnamed))).toEqual([401, "signature_invalid"]);
  });

  // https://github.com/cloudflare/web-bot-auth, web_bot_auth_architecture_v2.json, to which draft-meunier-web-bot-auth-architecture refers
  it.each([
    [
      '("@authority");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="zIW8+cdmA3vdYagbxojpONwa/l0EKJ/O3/wD486VvsQjO/RxPaSt6ZxvQaMcQzNnqKN/mQ6hpGiFro2L2qkz5A==";tag="web-bot-auth"',
      "QKN4fTdIYfh82fvoZCQiQA1weuozfCS/Led2zTMbewMMqH8PI2Wsy/5c4ao6B6D09nraNQdBNOADg8aM1MqfCg==",
      {},
      ["@authority"],
    ],
    [
      '("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
      "RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==",
      { "Signature-Agent": 'agent2="https://signature-agent.test"' },
      ["@authority", component("signature-agent", { key: "agent2" })],
    ],
  ])(
    "is genuine in Web Bot Auth's published example %#, but proves no agent without the target",
    async (input, signature, headers, requiredComponents) => {
      vi.useFakeTimers({ toFake: ["Date"], now: 1_735_689_601_000 });
      const request = new Request("https://example.com/path/to/resource", {
        headers: { ...headers, "Signature-Input": `sig1=${input}`, Signature: `sig1=:${signature}:` },
      });
      const { publicJwk, kid } = await theKeyOfExamples();
      const key = await crypto.subtle.importKey("jwk", publicJwk, "Ed25519", false, ["verify"]);
      const resolveVerifier = async () => ({
        algorithm: "ed25519",
        verify: (data: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>) =>
          crypto.subtle.verify("Ed25519", key, bytes, data),
      });
      const policy = { algorithms: ["ed25519"], requiredComponents, requiredParameters: ["keyid" as const] };
      const { parameters } = await verifySignature(request, { label: "sig1", policy, resolveVerifier });
      expect(parameters.keyid).toBe(kid);
      const published = { ...publicJwk, kty: "OKP", kid };
      await expect(verifyRequest(request, new ArrayBuffer(0), [published])).rejects.toMatchObject({
        problem: "signature_invalid",
      });
    },
  );

  it("is refused if another key signed it, including one of another profile", async () => {
    const [agent, other] = [await anAgent(), await anAgent()];
    expect(await refusalOf(signed(agent, {}, { key: other.key }))).toEqual([401, "key_not_found"]);
    const forged = signed(agent, {}, { key: other.key, keyid: agent.key.kid });
    expect(await refusalOf(forged)).toEqual([401, "signature_invalid"]);
  });

  it("is refused with any part replaced after it was signed", async () => {
    const agent = await anAgent();
    const changed = async (change: (request: Request) => Request | Promise<Request>) =>
      refusalOf(signed(agent).then(change));
    const withHeader = (name: string, value: string) => (request: Request) => {
      const copy = new Request(request);
      copy.headers.set(name, value);
      return copy;
    };
    const to = (path: string) => (request: Request) => new Request(new URL(path, ORIGIN), request);
    expect(await changed(to("/elsewhere?x=1"))).toEqual([401, "signature_invalid"]);
    expect(await changed(to("/agents-test?x=2"))).toEqual([401, "signature_invalid"]);
    expect(await changed((request) => new Request(request, { method: "PUT" }))).toEqual([401, "signature_invalid"]);
    expect(await changed((request) => new Request("https://other.test/agents-test?x=1", request))).toEqual([
      401,
      "signature_invalid",
    ]);
    expect(await changed(withHeader("Idempotency-Key", crypto.randomUUID()))).toEqual([401, "signature_invalid"]);
    expect(await changed((request) => new Request(request, { body: '{"query":"pot"}' }))).toEqual([
      400,
      "digest_mismatch",
    ]);
  });

  it.each([
    "@method",
    "@authority",
    "@path",
    "@query",
    "ucp-agent",
    "idempotency-key",
    "content-digest",
    "content-type",
  ])("is refused if the signature does not cover %s", async (component) => {
    expect(await refusalOf(signed(await anAgent(), {}, { without: [component] }))).toEqual([401, "signature_invalid"]);
  });

  it("is refused if it is undated, old, from the future or expired", async () => {
    const agent = await anAgent();
    const now = Math.floor(Date.now() / 1000);
    const at = (parameters: string) => refusalOf(signed(agent, {}, { parameters }));
    expect(await at("")).toEqual([401, "signature_invalid"]);
    expect(await at(`;expires=${now + 60}`)).toEqual([401, "signature_invalid"]);
    expect(await at(`;created=${now - 400}`)).toEqual([401, "signature_invalid"]);
    expect(await at(`;created=${now + 400}`)).toEqual([401, "signature_invalid"]);
    expect(await at(`;created=${now - 200};expires=${now - 100}`)).toEqual([401, "signature_invalid"]);
    expect((await ask(await signed(agent, {}, { parameters: `;created=${now};expires=${now + 60}` }))).status).toBe(
      200,
    );
  });

  it("is refused with an unsupported kind of key, which does not affect other keys", async () => {
    const [key, other] = [await anAgentKey(), await anAgentKey()];
    other.publicJwk = { ...other.publicJwk, crv: "secp256k1" };
    const agent = await anAgent({ keys: [key, other] });
    expect(await refusalOf(signed(agent, {}, { key: other }))).toEqual([400, "algorithm_unsupported"]);
    expect((await ask(await signed(agent))).status).toBe(200);
  });

  it("is admitted if the second of two signatures is valid", async () => {
    const request = await signed(await anAgent());
    const [input, signature] = [request.headers.get("Signature-Input"), request.headers.get("Signature")];
    request.headers.set("Signature-Input", `other=("@method");keyid="nobody", ${input}`);
    request.headers.set("Signature", `other=:AAAA:, ${signature}`);
    expect((await ask(request)).status).toBe(200);
  });

  it.each([
    ["no list", "sig1=1"],
    ["garbage", "((("],
    ["another label", '("@method");keyid="x"'],
  ])("is refused if its input is %s", async (_, input) => {
    const request = await signed(await anAgent());
    request.headers.set("Signature-Input", input);
    expect(await refusalOf(Promise.resolve(request))).toEqual([401, "signature_invalid"]);
  });

  it("is admitted a minute after the agent published a new key, although the cached profile is still fresh", async () => {
    const agent = await anAgent({ times: 1, headers: { "Cache-Control": "max-age=3600" } });
    expect((await ask(await signed(agent))).status).toBe(200);
    const key = await anAgentKey();
    await agent.publish({ keys: [key] });
    expect(await refusalOf(signed(agent, {}, { key }))).toEqual([401, "key_not_found"]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect((await ask(await signed(agent, {}, { key }))).status).toBe(200);
    expect(await refusalOf(signed(agent))).toEqual([401, "key_not_found"]);
  });
});

describe("a profile", () => {
  const profileRefusal = async (profile: Parameters<typeof anAgent>[0]) => refusalOf(signed(await anAgent(profile)));

  it("is fetched once while it is fresh", async () => {
    const agent = await anAgent();
    for (const _ of [1, 2, 3]) expect((await ask(await signed(agent))).status).toBe(200);
    expect(await sent(agent.url.slice(-36), "GET /agents/")).toHaveLength(1);
  });

  it("is refused if it redirects, fails or is too large", async () => {
    const elsewhere = await anAgent();
    const Location = elsewhere.url;
    expect(await profileRefusal({ status: 302, headers: { Location } })).toEqual([424, "profile_unreachable"]);
    expect(await profileRefusal({ status: 500 })).toEqual([424, "profile_unreachable"]);
    expect(await profileRefusal({ body: { padding: "x".repeat(300_000) } })).toEqual([424, "profile_unreachable"]);
    expect(await sent(elsewhere.url.slice(-36), "GET /agents/")).toHaveLength(0);
    const nowhere = { key: await anAgentKey(), url: "https://nowhere.example/profile" };
    expect(await refusalOf(signed(nowhere))).toEqual([424, "profile_unreachable"]);
  });

  it("is refused if it is invalid", async () => {
    for (const body of [[], { ucp: {} }, { ucp: { version: 1 } }, { signing_keys: [] }, "text"]) {
      expect(await profileRefusal({ body })).toEqual([422, "profile_malformed"]);
    }
  });

  it.each([
    ["http://agent.example/profile"],
    ["https://10.0.0.1/profile"],
    ["https://[::1]/profile"],
    ["https://0x0a000001/profile"],
    ["https://169.254.169.254/latest"],
    ["https://shop.test/.well-known/ucp"],
    ["https://user:password@agent.example/"],
    ["https://internal/profile"],
    ["https://a.to-10-0-0-1.example/profile"],
    ["file:///etc/passwd"],
    ["profile"],
  ])("is not fetched from %s", async (url) => {
    const key = await anAgentKey();
    expect(await refusalOf(signed({ key, url }))).toEqual([400, "invalid_profile_url"]);
  });

  it.each(["profile=token", '"https://agent.example"', "profile=(", "", "other=1"])(
    "is missing in UCP-Agent: %s",
    async (header) => {
      const request = unsigned({ "UCP-Agent": header });
      expect(await refusalOf(Promise.resolve(request))).toEqual([400, "invalid_profile_url"]);
    },
  );
});

describe("agent access", () => {
  const outcome = async (agent: Agent) => [
    (await ask(await signed(agent))).status,
    (await ask(unsigned({ "UCP-Agent": `profile="${agent.url}"` }))).status,
    (await ask(unsigned({}))).status,
  ];

  it("can be nobody, listed hosts, all that sign, or everybody", async () => {
    const agent = await anAgent();
    await allow("off");
    expect(await outcome(agent)).toEqual([404, 404, 404]);
    await allow("listed", ["agent.example"]);
    expect(await outcome(agent)).toEqual([403, 403, 400]);
    expect(await sent(agent.url.slice(-36), "GET /agents/")).toHaveLength(0);
    await allow("listed", [agent.host]);
    expect(await outcome(agent)).toEqual([200, 401, 400]);
    await allow("signed");
    expect(await outcome(agent)).toEqual([200, 401, 400]);
    await allow("open");
    expect(await outcome(agent)).toEqual([200, 200, 400]);
  });

  it("is off until it is saved", async () => {
    await db.delete(shop);
    expect((await ask(await signed(await anAgent()))).status).toBe(404);
  });

  it("refuses invalid hosts, each by its position", async () => {
    const hosts = ["agent.example", "https://agent.example", "a b", ""];
    const { status, body } = await allow("listed", hosts);
    expect([status, Object.keys(body.errors)]).toEqual([400, ["agent_hosts.1", "agent_hosts.2", "agent_hosts.3"]]);
  });

  it("lists the agents that signed, and none that is only claimed", async () => {
    await allow("open");
    const [agent, claimed] = [await anAgent(), await anAgent()];
    await ask(await signed(agent));
    await ask(unsigned({ "UCP-Agent": `profile="${claimed.url}"` }));
    const { data } = (await call("GET /admin/agents", { as })).body;
    const profiles = data.map(({ profile }: { profile: string }) => profile);
    expect(profiles).toContain(agent.url);
    expect(profiles).not.toContain(claimed.url);
  });
});

describe("the profile that an unsigned request names", () => {
  const named = (url: string, headers: object = {}) => ask(unsigned({ "UCP-Agent": `profile="${url}"`, ...headers }));

  beforeEach(() => allow("open"));

  it("is fetched once while it is fresh", async () => {
    const agent = await anAgent();
    for (const _ of [1, 2, 3]) expect((await named(agent.url)).body).toEqual({ profile: agent.url, signed: false });
    expect(await sent(agent.url.slice(-36), "GET /agents/")).toHaveLength(1);
  });

  it("is refused if it is malformed, cannot be fetched or must not be", async () => {
    const outcome = async (url: string) => {
      const { status, body } = await named(url);
      return [status, body.code];
    };
    expect(await outcome((await anAgent({ body: { ucp: {} } })).url)).toEqual([422, "profile_malformed"]);
    expect(await outcome((await anAgent({ status: 404 })).url)).toEqual([424, "profile_unreachable"]);
    expect(await outcome("https://10.0.0.1/profile")).toEqual([400, "invalid_profile_url"]);
  });

  it("costs an address that names many at most thirty fetches a minute", async () => {
    const from = { "CF-Connecting-IP": anAddress() };
    const agents = await Promise.all(Array.from({ length: 31 }, () => anAgent()));
    const statuses = [];
    for (const { url } of agents) statuses.push((await named(url, from)).status);
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  });
});

it("signs its own messages with a published key", async () => {
  const { published, ...keys } = readSettings(env).signingKeys;
  const message = {
    url: "https://agent.example/orders?shop=1",
    body: '{"id":"1"}',
    agent: `${ORIGIN}/.well-known/ucp`,
  };
  const request = new Request(message.url, {
    method: "POST",
    headers: await signedPost(message, keys),
    body: message.body,
  });
  const body = await request.clone().arrayBuffer();
  expect(await verifyRequest(request, body, published)).toBe(keys.kid);
  expect(request.headers.get("UCP-Agent")).toBe(`profile="${ORIGIN}/.well-known/ucp"`);
  expect(JSON.stringify(published)).not.toContain(keys.privateJwk.d);
});

it("counts wrong signatures by address, and not against the claimed agent", async () => {
  const [agent, other] = [await anAgent(), await anAgent()];
  const headers = { "CF-Connecting-IP": anAddress() };
  const forge = async () => {
    const request = await signed(agent, {}, { key: other.key, keyid: agent.key.kid });
    request.headers.set("CF-Connecting-IP", headers["CF-Connecting-IP"]);
    return (await ask(request)).status;
  };
  const statuses = [];
  for (let tried = 0; tried < 21; tried++) statuses.push(await forge());
  expect(statuses).toEqual([...Array(20).fill(401), 429]);
  expect((await ask(await signed(agent))).status).toBe(200);
});
