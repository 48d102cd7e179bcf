import type { Author } from "../auth/author.ts";
import type { Caller } from "../auth/caller.ts";

/**
 * Who stands in the audit log for a write on the shop's own routes: an API key that makes an account, or places or cancels
 * an order. What people do for themselves stays out, but for administrators' sign-ins and profiles; and so do carts and logins
 * through a key, which are shoppers' doings.
 */
export const auditedKey = ({ kind }: Caller, author: Author): Author | null => (kind === "api_key" ? author : null);

export const subjects = [
  "api_key",
  "category",
  "discount",
  "email_switch",
  "file",
  "image",
  "job",
  "order",
  "package",
  "product",
  "saved_view",
  "shipping_method",
  "shipping_zone",
  "shop",
  "tax_rate",
  "user",
  "webhook",
] as const;

type Fields = Record<string, unknown>;

/** A write in the audit log: `action` is a verb, the fields are named as on the wire. Never hand it a secret. */
export type Entry = {
  action: string;
  subject: (typeof subjects)[number];
  before: Fields | null;
  after: Fields | null;
};

/** What two states of a row differ in: all that is worth keeping of a change. */
export function difference<State extends Fields>(before: State, after: State): Pick<Entry, "before" | "after"> {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (state: State) => Object.fromEntries(changed.map((name) => [name, state[name]]));
  return { before: pick(before), after: pick(after) };
}
