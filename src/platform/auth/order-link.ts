import { createHmac, hkdfSync } from "node:crypto";
import type { Secrets } from "../settings/settings.ts";
import { sameSecret } from "./secrets.ts";

// A guest has no account: the link in their e-mails shows the order. Its token is the order's reference with a signature under a
// key derived for this purpose, so that nothing is stored and no other signature of the deployment fits.

const PREFIX = "sfo_";

const TOKEN = /^sfo_([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})_[\w-]{43}$/;

const tokenUnder = (secret: string, reference: string): string => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "link to a guest's order", 32));
  return `${PREFIX}${reference}_${createHmac("sha256", key).update(reference).digest("base64url")}`;
};

/** The token of the link to an order, under the newest secret. */
export const orderLinkToken = ([newest]: Secrets, reference: string): string => tokenUnder(newest, reference);

/** The reference of the order that a token was made for. Null if this deployment did not make it. */
export function orderOfLink(secrets: Secrets, token: string): string | null {
  const reference = TOKEN.exec(token)?.[1];
  if (reference === undefined) return null;
  return secrets.some((secret) => sameSecret(tokenUnder(secret, reference), token)) ? reference : null;
}
