import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK } from "jose";
import * as z from "zod";

export const ALGORITHM = "EdDSA";

/** The deployment's Ed25519 signing keys: the newest signs, every key verifies. */
export type TokenKeys = {
  kid: string;
  privateKey: Promise<CryptoKey | Uint8Array>;
  published: JSONWebKeySet;
  resolve: ReturnType<typeof createLocalJWKSet>;
};

type PrivateJwk = JWK & { kty: "OKP"; crv: "Ed25519"; x: string; d: string; kid: string };

/** 32 bytes in base64url. */
const Point = z.string().regex(/^[\w-]{43}$/);

const Ed25519Jwk: z.ZodType<PrivateJwk> = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: Point,
  d: Point,
  kid: z.string().min(1),
});

/** The binding: private JWKs as JSON, newest first. */
export const TokenKeyList = z
  .string("is missing")
  .transform((text, context) => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("is not JSON");
      return z.NEVER;
    }
  })
  .pipe(z.tuple([Ed25519Jwk], Ed25519Jwk, "is not a JSON array of private Ed25519 JWKs with a kid"))
  .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, "has two keys with the same kid");

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
