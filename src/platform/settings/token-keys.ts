import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK } from "jose";
import * as z from "zod";
import { Coordinate, privateKeyList } from "./private-keys.ts";

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
