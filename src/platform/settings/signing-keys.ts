import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK } from "jose";
import * as z from "zod";

/** A coordinate of a key: 32 bytes in base64url. */
const Coordinate = z.string().regex(/^[\w-]{43}$/);

/** A binding that holds private JWKs of one curve as JSON, newest first. */
const privateKeyList = <Jwk extends { kid: string }>(key: z.ZodType<Jwk>, curve: string) =>
  z
    .string("is missing")
    .transform((text, context) => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue("is not JSON");
        return z.NEVER;
      }
    })
    .pipe(z.tuple([key], key, `is not a JSON array of private ${curve} JWKs with a kid`))
    .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, "has two keys with the same kid");

/** A public ECDSA P-256 key as a JWK. */
type PublicSigningKey = { kid: string; kty: "EC"; crv: "P-256"; x: string; y: string; use: "sig"; alg: "ES256" };

/** The deployment's keys for HTTP message signatures: the newest signs, all are published. */
export type SigningKeys = { kid: string; privateJwk: PrivateSigningKey; published: readonly PublicSigningKey[] };

export type PrivateSigningKey = Pick<PublicSigningKey, "kid" | "kty" | "crv" | "x" | "y"> & { d: string };

const P256Jwk: z.ZodType<PrivateSigningKey> = z.looseObject({
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  x: Coordinate,
  y: Coordinate,
  d: Coordinate,
  kid: z.string().min(1),
});

/** The binding: private JWKs as JSON, newest first. */
export const SigningKeyList = privateKeyList(P256Jwk, "P-256");

export const readSigningKeys = (privateKeys: readonly [PrivateSigningKey, ...PrivateSigningKey[]]): SigningKeys => ({
  kid: privateKeys[0].kid,
  privateJwk: privateKeys[0],
  published: privateKeys.map(({ kid, kty, crv, x, y }) => ({ kid, kty, crv, x, y, use: "sig", alg: "ES256" })),
});

export const ALGORITHM = "EdDSA";

/** The deployment's Ed25519 signing keys: the newest signs, every key verifies. */
export type TokenKeys = {
  kid: string;
  privateKey: Promise<CryptoKey | Uint8Array>;
  published: JSONWebKeySet;
  resolve: ReturnType<typeof createLocalJWKSet>;
};

type PrivateJwk = JWK & { kty: "OKP"; crv: "Ed25519"; x: string; d: string; kid: string };

const Ed25519Jwk: z.ZodType<PrivateJwk> = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: Coordinate,
  d: Coordinate,
  kid: z.string().min(1),
});

/** The binding: private JWKs as JSON, newest first. */
export const TokenKeyList = privateKeyList(Ed25519Jwk, "Ed25519");

/** Reads private JWKs, newest first. */
export function readTokenKeys(privateKeys: readonly [PrivateJwk, ...PrivateJwk[]]): TokenKeys {
  const published = {
    keys: privateKeys.map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, use: "sig", alg: ALGORITHM })),
  };
  const [newest] = privateKeys;
  return {
    kid: newest.kid,
    privateKey: importJWK(newest, ALGORITHM),
    published,
    resolve: createLocalJWKSet(published),
  };
}
