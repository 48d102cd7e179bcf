import { httpbis } from "http-message-signatures";
import { ORIGIN } from "../support/call.ts";
import type { Agent } from "./support.ts";

// Requests that another library signs and verifies, so that the shop does not only understand itself.

const COVERED = ["@method", "@authority", "@path", "content-type", "content-digest", "ucp-agent"];

/** A POST of an agent, signed by the library. `replaced` is the body that is sent instead of the signed one. */
export async function signedByLibrary({ key, url: profile }: Agent, path: string, body: string, replaced = body) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const message = {
    method: "POST",
    url: ORIGIN + path,
    headers: {
      "content-type": "application/json",
      "content-digest": `sha-256=:${Buffer.from(digest).toString("base64")}:`,
      "ucp-agent": `profile="${profile}"`,
    },
  };
  const sign = async (base: Buffer) => Buffer.from(await key.sign(base.toString()), "base64");
  const { headers } = await httpbis.signMessage(
    { key: { id: key.kid, sign }, fields: COVERED, params: ["created", "keyid"] },
    message,
  );
  return new Request(message.url, { method: "POST", headers: headers as Record<string, string>, body: replaced });
}

/** True if the library finds that one of the published keys, all of ES256, signed a request. */
export async function isVerifiedByLibrary(request: Request, keys: readonly (JsonWebKey & { kid: string })[]) {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const { method, url, headers } = request;
  return httpbis.verifyMessage(
    {
      all: true,
      requiredFields: COVERED,
      keyLookup: async ({ keyid }) => {
        const jwk = keys.find(({ kid }) => kid === keyid);
        if (!jwk) return null;
        const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["verify"]);
        const verify = (base: Buffer, signature: Buffer) => crypto.subtle.verify(algorithm, key, signature, base);
        return { id: jwk.kid, algs: ["ecdsa-p256-sha256"], verify };
      },
    },
    { method, url, headers: Object.fromEntries(headers) },
  );
}
