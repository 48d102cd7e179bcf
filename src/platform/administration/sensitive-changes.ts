import type { Entry } from "../audit/audit.ts";
import { type Author, requireFresh } from "../auth/caller.ts";

type Fields = Record<string, unknown>;

const differs = (before: unknown, after: unknown): boolean => after !== (before ?? "");
const falls = (before: unknown, after: unknown): boolean =>
  typeof before === "number" && typeof after === "number" && after < before;
const admitsMore = (before: unknown, after: unknown): boolean => after !== (before ?? "off") && after !== "off";
const hasMore = (before: unknown, after: unknown): boolean =>
  Array.isArray(after) && after.some((each) => !Array.isArray(before) || !before.includes(each));

/**
 * Changes for which staff confirm their password or code, by the audit log's names: where buyers send money, which agents may
 * order, and lower prices. `before` is undefined for a new row.
 */
const sensitiveChanges: Partial<
  Record<Entry["subject"], Record<string, (before: unknown, after: unknown) => boolean>>
> = {
  payment_settings: {
    "bank_transfer.instructions": differs,
    "invoice.instructions": differs,
    "cash.instructions": differs,
  },
  shop: { agent_access: admitsMore, agent_hosts: hasMore, contact: differs },
  product: { price: falls },
  shipping_method: { price: falls, free_from: falls },
};

/** Requires a recent password or code for a sensitive change. Takes the audited values before and after it. */
export function requireFreshForChange(
  author: Pick<Author, "reauthenticateAbove">,
  { subject, before = {}, after = {} }: { subject: Entry["subject"]; before?: Fields; after?: Fields },
): void {
  const rules = Object.entries(sensitiveChanges[subject] ?? {});
  if (rules.some(([name, isSensitive]) => name in after && isSensitive(before[name], after[name])))
    requireFresh(author);
}
