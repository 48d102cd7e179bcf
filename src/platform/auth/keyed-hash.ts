import { createHmac, hkdfSync } from "node:crypto";

/** HMAC-SHA-256 of a text in base64url, 43 characters, under a key derived from a secret for one purpose. */
export const keyedHash = (secret: string, purpose: string, text: string): string =>
  createHmac("sha256", Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)))
    .update(text)
    .digest("base64url");
