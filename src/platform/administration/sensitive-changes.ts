import * as z from "zod";
import type { Entry } from "../audit/audit.ts";
import { type Author, requireFresh } from "../auth/caller.ts";

type Fields = Record<string, unknown>;

/** Values before and after a change, as audited. The first is undefined for a new row. */
type Rule = (before: unknown, after: unknown) => boolean;

/** Not true for a new row with an empty value. */
const differs: Rule = (before, after) => JSON.stringify(after || null) !== JSON.stringify(before || null);
const falls: Rule = (before, after) => typeof before === "number" && typeof after === "number" && after < before;
const admitsMore: Rule = (before, after) => after !== (before ?? "off") && after !== "off";
const hasMore: Rule = (before, after) =>
  Array.isArray(after) && after.some((each) => !Array.isArray(before) || !before.includes(each));
/** Not true for a new row. */
const changes: Rule = (before, after) => before !== undefined && after !== before;
const isSet: Rule = (before, after) => (before ?? null) === null && after !== null;
const becomes =
  (value: boolean): Rule =>
  (before, after) =>
    before !== undefined && after === value;
/** Also true for a price where there was none. */
const isCheaper: Rule = (before, after) => typeof after === "number" && (typeof before !== "number" || after < before);

/** Fields of a variant whose inherited value may be lower. The database copies the value when the change is written. */
const pricedFields: readonly unknown[] = ["tax_class", "requires_shipping", "weight_grams"];
const inheritsPrices: Rule = (before, after) =>
  before !== undefined &&
  Array.isArray(after) &&
  hasMore(
    before,
    after.filter((name) => pricedFields.includes(name)),
  );

const Brackets = z.array(z.object({ up_to_grams: z.number(), price: z.number() })).catch([]);

/** True if a parcel of any weight becomes cheaper, or possible at all. */
function hasCheaperWeight(before: unknown, after: unknown): boolean {
  const [old, current] = [Brackets.parse(before), Brackets.parse(after)];
  const priceOf = (brackets: typeof old, grams: number) =>
    brackets.find(({ up_to_grams }) => up_to_grams >= grams)?.price ?? Number.POSITIVE_INFINITY;
  return [...old, ...current].some(({ up_to_grams: grams }) => priceOf(current, grams) < priceOf(old, grams));
}

/**
 * Changes for which staff confirm their password or code, by the audit log's names: where buyers send money, the shop's
 * identity in e-mails and on invoices, which agents may order, and everything that lowers what buyers pay. `deleted` is for the
 * deletion of a row. Discounts have their own rule, because small ones are added up.
 */
const sensitiveChanges: Partial<Record<Entry["subject"], Record<string, Rule>>> = {
  payment_account: { key_end: differs, deleted: isSet },
  payment_settings: {
    "bank_transfer.instructions": differs,
    "invoice.instructions": differs,
    "cash.instructions": differs,
  },
  shop: {
    agent_access: admitsMore,
    agent_hosts: hasMore,
    name: changes,
    contact: differs,
    address: differs,
    sender_name: differs,
    reply_to: differs,
    vat_id: differs,
    invoice_email: differs,
    iban: differs,
    prices_include_tax: changes,
    home_country: changes,
    home_region: changes,
    small_business: becomes(true),
  },
  product: {
    price: falls,
    tax_class: changes,
    requires_shipping: becomes(false),
    weight_grams: (before, after) => falls(before, after ?? 0),
    inherits: inheritsPrices,
  },
  shipping_zone: { places: changes, rest_of_world: changes, deleted: isSet },
  shipping_method: {
    price: isCheaper,
    free_from: isCheaper,
    brackets: hasCheaperWeight,
    enabled: becomes(true),
    kind: changes,
    zone_id: changes,
    deleted: isSet,
  },
  // A new rate may replace a higher one: of its country for a region, of the standard class, or of the home country in the union.
  tax_rate: {
    rate: isCheaper,
    taxes_shipping: becomes(false),
    tax_class: changes,
    country: changes,
    region: changes,
    deleted: isSet,
  },
  user: { tax_exempt_reason: isSet },
  // Rows of an import may lower any price or exempt any customer.
  job: {
    kind: (_, kind) => kind === "import_products" || kind === "import_customers",
    price_percent: (_, percent) => falls(0, percent),
  },
};

/** Requires a recent password or code for a sensitive change. */
export function requireFreshForChange(
  author: Pick<Author, "reauthenticateAbove">,
  { subject, before = {}, after = {} }: { subject: Entry["subject"]; before?: Fields; after?: Fields },
): void {
  const rules = Object.entries(sensitiveChanges[subject] ?? {});
  if (rules.some(([name, isSensitive]) => name in after && isSensitive(before[name], after[name])))
    requireFresh(author);
}
