import { component, createSignature, isSignatureError, type Verifier, verifySignature } from "http-message-sig";
import { calculateJwkThumbprint } from "jose";
import { isInnerList, parseDictionary } from "structured-headers";
import type { PrivateSigningKey } from "../settings/signing-keys.ts";

// HTTP Message Signatures (RFC 9421) over requests, with Content-Digest (RFC 9530) for bodies, as the Universal Commerce
// Protocol profiles them. The algorithm follows from the key, never from the message.

/** Parameters for Web Crypto, and the registered name of a signature algorithm. */
type Algorithm = { name: string; key: SubtleCryptoImportKeyAlgorithm; use: SubtleCryptoSignAlgorithm };

const ecdsa = (name: string, namedCurve: string, hash: string): Algorithm => ({
  name,
  key: { name: "ECDSA", namedCurve },
  use: { name: "ECDSA", hash },
});

const ES256 = ecdsa("ecdsa-p256-sha256", "P-256", "SHA-256");

/** The algorithms by the curve of their keys. */
const algorithms: ReadonlyMap<unknown, Algorithm> = new Map([
  ["P-256", ES256],
  ["P-384", ecdsa("ecdsa-p384-sha384", "P-384", "SHA-384")],
  ["Ed25519", { name: "ed25519", key: { name: "Ed25519" }, use: { name: "Ed25519" } }],
]);

const NAMES = [...algorithms.values()].map(({ name }) => name);

/** A public key as published by its owner. Keys of unknown kinds are allowed but cannot be used. */
export type PublishedKey = { kid: string; kty: string; [member: string]: unknown };

/** Reasons why a signature is not accepted, in the words of the protocol. */
export type SignatureProblem =
  | "signature_missing"
  | "signature_invalid"
  | "key_not_found"
  | "digest_mismatch"
  | "algorithm_unsupported";

export class SignatureRefused extends Error {
  readonly problem: SignatureProblem;

  constructor(problem: SignatureProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Seconds for which a signature is accepted after its `created` time, and the maximum difference between clocks. UCP leaves
 * `created` optional (docs/specification/signatures.md), and Web Bot Auth requires it. RFC 9421, 3.2.1, lets an application
 * require it: a signature without a time could be replayed for as long as its key is published.
 */
const MAX_AGE = 300;
const CLOCK_SKEW = 60;

/** Maximum number of signatures to try, because each costs a verification. */
const MOST_SIGNATURES = 3;

const byteSequence = (bytes: ArrayBuffer): string => `:${Buffer.from(bytes).toString("base64")}:`;

const contentDigest = async (body: BufferSource): Promise<string> =>
  `sha-256=${byteSequence(await crypto.subtle.digest("SHA-256", body))}`;

/**
 * Verifies that one of the keys signed the request with its method, target, agent, idempotency key and body, and
 * returns the key's id. Throws `SignatureRefused`. If a message has several signatures, one must be valid.
 */
export async function verifyRequest(
  request: Request,
  body: ArrayBuffer,
  keys: readonly PublishedKey[],
): Promise<string> {
  const labels = labelsOf(request.headers);
  let refusal = new SignatureRefused("signature_missing", "The request has no signature");
  for (const label of labels.slice(0, MOST_SIGNATURES)) {
    try {
      return await verifyLabel(request, body, { label, keys });
    } catch (error) {
      refusal = toRefusal(error);
    }
  }
  throw refusal;
}

function labelsOf(headers: Headers): string[] {
  const input = headers.get("Signature-Input");
  if (input === null || !headers.has("Signature")) {
    throw new SignatureRefused("signature_missing", "Send the headers Signature and Signature-Input");
  }
  try {
    return [...parseDictionary(input).keys()];
  } catch {
    throw new SignatureRefused("signature_invalid", "The header Signature-Input is malformed");
  }
}

type Candidate = { label: string; keys: readonly PublishedKey[] };

async function verifyLabel(request: Request, body: ArrayBuffer, { label, keys }: Candidate): Promise<string> {
  const { parameters } = await verifySignature(request, {
    label,
    policy: {
      algorithms: NAMES,
      requiredComponents: requiredComponents(request, body, label),
      requiredParameters: ["keyid", "created"],
      clockSkew: CLOCK_SKEW,
      validate: ({ parameters: { created = 0 } }) => created > Date.now() / 1000 - MAX_AGE - CLOCK_SKEW,
    },
    resolveVerifier: async ({ parameters: { keyid, tag } }) => verifierOf(keys, keyid, tag),
  });
  if (body.byteLength > 0 && !(await matchesDigest(request.headers.get("Content-Digest"), body))) {
    throw new SignatureRefused("digest_mismatch", "Content-Digest is not the SHA-256 of the body");
  }
  return String(parameters.keyid);
}

/** Components that a signature must cover, because they determine the meaning of the request. */
const requiredComponents = ({ url, headers }: Request, body: ArrayBuffer, label: string) => [
  "@method",
  "@authority",
  "@path",
  ...(new URL(url).search ? ["@query"] : []),
  ...(body.byteLength > 0 ? ["content-digest", "content-type"] : []),
  ...["idempotency-key", "ucp-agent"].filter((name) => headers.has(name)),
  ...(headers.has("Signature-Agent") ? [component("signature-agent", { key: label })] : []),
];

async function verifierOf(keys: readonly PublishedKey[], kid: string | undefined, tag?: string): Promise<Verifier> {
  const key = keys.find((published) => published.kid === kid);
  if (!key) throw new SignatureRefused("key_not_found", `The profile has no key ${kid}`);
  const algorithm = algorithms.get(key.crv);
  if (!algorithm) throw new SignatureRefused("algorithm_unsupported", `Keys like ${kid} are not supported. Use ES256`);
  if (tag === "web-bot-auth" && (await calculateJwkThumbprint(key)) !== kid) {
    throw new SignatureRefused("signature_invalid", "The key's id is not its thumbprint");
  }
  const { kty, crv, x, y } = key;
  const jwk = { kty, crv, x, ...(kty === "EC" && { y }) } as JsonWebKey;
  const publicKey = await crypto.subtle.importKey("jwk", jwk, algorithm.key, false, ["verify"]);
  return {
    algorithm: algorithm.name,
    verify: (data, signature) => crypto.subtle.verify(algorithm.use, publicKey, signature, data),
  };
}

async function matchesDigest(header: string | null, body: ArrayBuffer): Promise<boolean> {
  const member = parseDictionary(header ?? "").get("sha-256");
  if (!member || isInnerList(member) || !(member[0] instanceof ArrayBuffer)) return false;
  return Buffer.from(member[0]).equals(Buffer.from(await crypto.subtle.digest("SHA-256", body)));
}

/** The refusal behind an error of the library. Errors of malformed keys and headers have many types. */
function toRefusal(error: unknown): SignatureRefused {
  const cause = isSignatureError(error) && error.code === "ResolverFailed" ? error.cause : error;
  if (cause instanceof SignatureRefused) return cause;
  const reason = isSignatureError(cause) ? `: ${cause.message}` : "";
  return new SignatureRefused("signature_invalid", `The signature could not be verified${reason}`);
}

type SignedRequest = { url: string; body: string; agent: string; more?: Record<string, string> };

/** Signs a POST of JSON with its agent header and `more` headers, of lower-case names. Returns the headers to send. */
export async function signedPost(
  { url, body, agent, more = {} }: SignedRequest,
  { kid, privateJwk }: { kid: string; privateJwk: PrivateSigningKey },
): Promise<Record<string, string>> {
  const headers = {
    "content-type": "application/json",
    "ucp-agent": `profile="${agent}"`,
    "content-digest": await contentDigest(new TextEncoder().encode(body)),
    ...more,
  };
  const query = new URL(url).search ? ["@query"] : [];
  const { signature, signatureInput } = await createSignature(new Request(url, { method: "POST", headers }), {
    components: ["@method", "@authority", "@path", ...query, ...Object.keys(headers)],
    parameters: { created: Math.floor(Date.now() / 1000), keyid: kid },
    signer: await signerOf(privateJwk),
  });
  return { ...headers, signature, "signature-input": signatureInput };
}

async function signerOf({ kty, crv, x, y, d }: PrivateSigningKey) {
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x, y, d }, ES256.key, false, ["sign"]);
  return {
    algorithm: ES256.name,
    sign: async (data: Uint8Array) => new Uint8Array(await crypto.subtle.sign(ES256.use, key, data)),
  };
}
