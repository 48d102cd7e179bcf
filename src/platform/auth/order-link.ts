import type { Secrets } from "../settings/settings.ts";
import { keyedHash } from "./keyed-hash.ts";
import { sameSecret } from "./secrets.ts";

// Links in e-mails open an order of a guest, or a draft sent by staff, without an account. A token is a reference with
// a signature under a key derived for its purpose, so that nothing is stored and no other signature of the deployment
// is valid.

function signedLinks(prefix: string, purpose: string) {
  const pattern = new RegExp(`^${prefix}([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}(?:\\.[1-9]\\d{0,8})?)_[\\w-]{43}$`);
  const tokenUnder = (secret: string, reference: string): string =>
    `${prefix}${reference}_${keyedHash(secret, purpose, reference)}`;
  return {
    /** Returns the token of the link, under the newest secret. */
    token: ([newest]: Secrets, reference: string): string => tokenUnder(newest, reference),
    /** Returns the reference in a token. Null if this deployment did not create it. */
    read(secrets: Secrets, token: string): string | null {
      const reference = pattern.exec(token)?.[1];
      if (reference === undefined) return null;
      return secrets.some((secret) => sameSecret(tokenUnder(secret, reference), token)) ? reference : null;
    },
  };
}

const orderLinks = signedLinks("sfo_", "link to a guest's order");

/** An order, and how many links to it were replaced. */
export type LinkedOrder = { reference: string; linkVersion: number };

export const orderLinkToken = (secrets: Secrets, { reference, linkVersion }: LinkedOrder): string =>
  orderLinks.token(secrets, linkVersion === 0 ? reference : `${reference}.${linkVersion}`);

/** Reads the token of a link to a guest's order. Null if this deployment did not create it. */
export function orderOfLink(secrets: Secrets, token: string): LinkedOrder | null {
  const [reference, version = 0] = orderLinks.read(secrets, token)?.split(".") ?? [];
  return reference === undefined ? null : { reference, linkVersion: Number(version) };
}

export const { token: draftLinkToken, read: draftOfLink } = signedLinks("sfd_", "link to a draft of an order");

export const { token: sessionLinkToken, read: sessionOfLink } = signedLinks("sfu_", "link to a checkout of an agent");
