import { createRemoteJWKSet, jwtVerify } from "jose";
import type { AppEnv } from "../env.ts";

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** The API's public keys, fetched once by each isolate and kept for ten minutes. */
let known: { url: string; keys: Keys } | undefined;

function keysOf(url: string): Keys {
  if (known?.url !== url) known = { url, keys: createRemoteJWKSet(new URL("/.well-known/jwks.json", url)) };
  return known.keys;
}

/** Whether the API signed this token and it still runs. That takes no call: only a session that was ended is not seen. */
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
