import { createRemoteJWKSet, jwtVerify } from "jose";
import type { AppEnv } from "../env.ts";

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** The API's public keys, fetched by each isolate and cached for ten minutes. */
let known: { url: string; keys: Keys } | undefined;

function keysOf(url: string): Keys {
  if (known?.url !== url) known = { url, keys: createRemoteJWKSet(new URL("/.well-known/jwks.json", url)) };
  return known.keys;
}

/**
 * True if the API signed this token and it has not expired. Makes no call, so it does not notice that a session has
 * ended.
 */
export async function isGenuine({ API_URL, TOKEN_ISSUER }: AppEnv["Bindings"], token: string): Promise<boolean> {
  try {
    await jwtVerify(token, keysOf(API_URL), {
      algorithms: ["EdDSA"],
      issuer: TOKEN_ISSUER,
      audience: "storefront-api",
      requiredClaims: ["sub", "exp"],
    });
    return true;
  } catch {
    return false;
  }
}
