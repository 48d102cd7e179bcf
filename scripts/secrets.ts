import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";

type SecretName = "API_KEY_SECRET" | "LINK_SECRET" | "TOKEN_KEYS" | "SIGNING_KEYS";

/** New values for every secret of the Worker. */
export async function newSecrets(): Promise<Record<SecretName, string>> {
  const random = () => randomBytes(32).toString("base64url");
  return {
    API_KEY_SECRET: random(),
    LINK_SECRET: random(),
    TOKEN_KEYS: await newKeys("EdDSA"),
    SIGNING_KEYS: await newKeys("ES256"),
  };
}

/** A list with one private JWK. */
async function newKeys(algorithm: "EdDSA" | "ES256"): Promise<string> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return JSON.stringify([{ ...(await exportJWK(privateKey)), kid: randomBytes(6).toString("hex") }]);
}

// Run directly, this script prints the secrets for `wrangler secret bulk`.
if (import.meta.main) console.log(JSON.stringify(await newSecrets(), null, 2));
