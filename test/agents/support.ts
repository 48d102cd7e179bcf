import { env } from "cloudflare:workers";
import { script } from "../payments/support/stand-in.ts";
import { anAddress, ORIGIN } from "../support/call.ts";

// An agent with a profile on the stand-in. It builds its own signatures from the RFC, as a check on the shop's.

type KeyKind = { generate: SubtleCryptoGenerateKeyAlgorithm; sign: SubtleCryptoSignAlgorithm };

const kinds = {
  "P-256": { generate: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
  "P-384": { generate: { name: "ECDSA", namedCurve: "P-384" }, sign: { name: "ECDSA", hash: "SHA-384" } },
  Ed25519: { generate: { name: "Ed25519" }, sign: { name: "Ed25519" } },
} satisfies Record<string, KeyKind>;

type AgentKey = { kid: string; publicJwk: JsonWebKey; sign: (base: string) => Promise<string> };

const base64 = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("base64");

export async function anAgentKey(curve: keyof typeof kinds = "P-256", kid: string = crypto.randomUUID()) {
  const { generate, sign } = kinds[curve];
  const pair = (await crypto.subtle.generateKey(generate, true, ["sign", "verify"])) as CryptoKeyPair;
  const { kty, crv, x, y } = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as JsonWebKey;
  const encoded = (base: string) => new TextEncoder().encode(base);
  const key: AgentKey = {
    kid,
    publicJwk: { kid, kty, crv, x, ...(y && { y }), use: "sig" } as JsonWebKey,
    sign: async (base) => base64(await crypto.subtle.sign(sign, pair.privateKey, encoded(base))),
  };
  return key;
}

/** The key of the examples of RFC 9421, B.1.4, and of Web Bot Auth, by its thumbprint. */
export async function theKeyOfExamples(kid = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"): Promise<AgentKey> {
  const publicJwk = { kty: "OKP", crv: "Ed25519", x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs" };
  const privateJwk = { ...publicJwk, d: "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU" };
  const { sign } = kinds.Ed25519;
  const key = await crypto.subtle.importKey("jwk", privateJwk, sign, false, ["sign"]);
  return {
    kid,
    publicJwk: { kid, ...publicJwk } as JsonWebKey,
    sign: async (base) => base64(await crypto.subtle.sign(sign, key, new TextEncoder().encode(base))),
  };
}

type Profile = { keys?: AgentKey[]; status?: number; body?: unknown; headers?: Record<string, string>; times?: number };

/** An agent whose profile is served by the stand-in. */
export async function anAgent(profile: Profile = {}) {
  const key = profile.keys?.[0] ?? (await anAgentKey());
  const name = crypto.randomUUID();
  const url = `${env.STRIPE_API_URL}/agents/${name}`;
  const publish = ({ keys = [key], status = 200, body, headers = {}, times = 1_000 }: Profile) =>
    script({
      line: `GET /agents/${name}`,
      about: name,
      times,
      status,
      headers,
      body: body ?? {
        ucp: { version: "2026-04-08", capabilities: {} },
        signing_keys: keys.map(({ publicJwk }) => publicJwk),
      },
    });
  await publish(profile);
  return { key, url, publish, host: new URL(url).host };
}

export type Agent = Awaited<ReturnType<typeof anAgent>>;

type Message = { method?: string; path?: string; body?: string; headers?: Record<string, string> };

type How = {
  key?: AgentKey;
  keyid?: string;
  /** Parameters after keyid, such as `;created=1`, which is now by default. */
  parameters?: string;
  /** Components that the signature leaves out. */
  without?: string[];
  /** True to send no Idempotency-Key. */
  keyless?: boolean;
};

/** A request signed by the agent. */
export async function signed(
  agent: Pick<Agent, "key" | "url">,
  message: Message = {},
  how: How = {},
): Promise<Request> {
  const { method = "POST", path = "/agents-test?x=1", body = method === "GET" ? "" : '{"query":"cup"}' } = message;
  const url = new URL(path, ORIGIN);
  const digest = base64(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body)));
  const headers: Record<string, string> = {
    "ucp-agent": `profile="${agent.url}"`,
    ...(body && { "content-type": "application/json", "content-digest": `sha-256=:${digest}:` }),
    ...(method !== "GET" && !how.keyless && { "idempotency-key": crypto.randomUUID() }),
    ...message.headers,
  };
  const values: Record<string, string> = {
    "@method": method,
    "@authority": url.host,
    "@path": url.pathname,
    ...(url.search && { "@query": url.search }),
    ...headers,
  };
  const key = how.key ?? agent.key;
  const covered = Object.keys(values).filter((name) => !how.without?.includes(name));
  // Web Bot Auth covers its own member of the header, as RFC 9421, 2.1.2, writes a member.
  const componentOf = (name: string) => (name === "signature-agent" ? `"${name}";key="sig1"` : `"${name}"`);
  const coveredValue = (name: string) => values[name]?.replace(/^sig1=/, "");
  const input = `(${covered.map(componentOf).join(" ")});keyid="${how.keyid ?? key.kid}"${how.parameters ?? `;created=${Math.floor(Date.now() / 1000)}`}`;
  const lines = [
    ...covered.map((name) => `${componentOf(name)}: ${coveredValue(name)}`),
    `"@signature-params": ${input}`,
  ];
  const signature = await key.sign(lines.join("\n"));
  return new Request(url, {
    method,
    headers: {
      ...headers,
      "CF-Connecting-IP": anAddress(),
      "Signature-Input": `sig1=${input}`,
      Signature: `sig1=:${signature}:`,
    },
    ...(body && { body }),
  });
}

/** An agent that checks out over UCP and signs its requests. */
export async function aShoppingAgent() {
  const [key, version] = [await anAgentKey(), "2026-04-08"];
  const names = ["checkout", "fulfillment", "order"].map((name) => `dev.ucp.shopping.${name}`);
  const capabilities = Object.fromEntries(names.map((name) => [name, [{ version }]]));
  return anAgent({ keys: [key], body: { ucp: { version, capabilities }, signing_keys: [key.publicJwk] } });
}
