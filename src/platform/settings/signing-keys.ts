import * as z from "zod";
import { Coordinate, privateKeyList } from "./private-keys.ts";

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
