import { createHmac, hkdfSync } from "node:crypto";
import type { Secrets } from "../settings/settings.ts";
import { sameSecret } from "./secrets.ts";

// A guest has no account: the link in their e-mails shows the order. Its token is the order's number with a signature under a
// key derived for this purpose, so that nothing is stored and no other signature of the deployment fits.

const PREFIX = "sfo_";

const TOKEN = /^sfo_([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4})_[\w-]{43}$/;

const tokenUnder = (secret: string, number: string): string => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "link to a guest's order", 32));
  return `${PREFIX}${number}_${createHmac("sha256", key).update(number).digest("base64url")}`;
};

/** The token of the link to an order, under the newest secret. */
export const orderLinkToken = ([newest]: Secrets, number: string): string => tokenUnder(newest, number);

/** The number of the order that a token was made for. Null if this deployment did not make it. */
export function orderOfLink(secrets: Secrets, token: string): string | null {
  const number = TOKEN.exec(token)?.[1];
  if (number === undefined) return null;
  return secrets.some((secret) => sameSecret(tokenUnder(secret, number), token)) ? number : null;
}
