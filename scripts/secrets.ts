import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";

/** Fresh values for every secret of the Worker. */
export async function newSecrets(): Promise<Record<"API_KEY_SECRET" | "LINK_SECRET" | "TOKEN_KEYS", string>> {
  const random = () => randomBytes(32).toString("base64url");
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: randomBytes(6).toString("hex") };
  return { API_KEY_SECRET: random(), LINK_SECRET: random(), TOKEN_KEYS: JSON.stringify([jwk]) };
}

// Run by itself it prints them for `wrangler secret bulk`.
if (import.meta.main) console.log(JSON.stringify(await newSecrets(), null, 2));
