import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWK } from "jose";

export const ALGORITHM = "EdDSA";

/** The signing keys of the deployment: Ed25519, the newest signs, every one verifies. */
export type TokenKeys = {
  kid: string;
  privateKey: Promise<CryptoKey | Uint8Array>;
  published: JSONWebKeySet;
  resolve: ReturnType<typeof createLocalJWKSet>;
};

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

export type PrivateJwk = JWK & { kty: "OKP"; crv: "Ed25519"; x: string; d: string; kid: string };
