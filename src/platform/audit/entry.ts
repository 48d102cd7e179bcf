import type { SQL } from "drizzle-orm";
import type { Author } from "../auth/author.ts";
import type { Caller } from "../auth/caller.ts";

/**
 * The audited author of a write on the shop's own routes: an API key that creates an account, or places or cancels an order.
 * Actions of customers are not audited, nor are carts and logins through a key, which belong to shoppers.
 */
export const auditedKey = ({ kind }: Caller, author: Author): Author | null => (kind === "api_key" ? author : null);

export const subjects = [
  "api_key",
  "category",
  "discount",
  "draft_order",
  "email_switch",
  "feed",
  "file",
  "image",
  "job",
  "order",
  "package",
  "payment_settings",
  "product",
  "saved_view",
  "shipping_method",
  "shipping_zone",
  "shop",
  "staff_invitation",
  "tax_rate",
  "user",
  "webhook",
] as const;

type Fields = Record<string, unknown>;

/** A write in the audit log: `action` is a verb, fields have API names. Must not contain secrets. */
export type Entry = {
  action: string;
  subject: (typeof subjects)[number];
  /** Id of the subject. SQL for a row that the same batch inserts. */
  id: number | SQL;
  before?: Fields | null;
  after?: Fields | null;
};

/** The differing fields of two states. */
export function difference<State extends Fields>(before: State, after: State): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (state: State) => Object.fromEntries(changed.map((name) => [name, state[name]]));
  return { before: pick(before), after: pick(after) };
}
