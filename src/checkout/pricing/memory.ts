import { type Discount, NO_RULES, type ProductFacts, type Rules } from "./types.ts";

// Data cached by this isolate, so that an order priced from it takes one round trip. The database refuses an order if any
// of it is outdated, which costs another round trip. It compares
// - `pricing_rules.version` with that of the rules: shop, payment methods, shipping, taxes, all discounts and the categories
//   below those that they cover;
// - a product's price and facts, an account's exemption and a redeemed discount's `updated_at` with the cached ones.

const MAX_ENTRIES = 2_000;

/** A map that keeps only the newest entries. */
class Recent<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

let rules: Rules = NO_RULES;
const products = new Recent<number, ProductFacts>();
/** Discounts by code, all read at the version of `rules`. */
const discounts = new Recent<string, Discount>();
const exemptions = new Recent<number, string>();

export const rememberedRules = (): Rules => rules;

export const rememberedProduct = (id: number): ProductFacts | undefined => products.get(id);

export const rememberedDiscount = (code: string): Discount | undefined => discounts.get(code);

/** Returns why an account is tax-exempt, or null if no exemption is known. */
export const rememberedExemption = (userId: number): string | null => exemptions.get(userId) ?? null;

export function remember(read: {
  rules: Rules;
  products: ReadonlyMap<number, ProductFacts>;
  discounts: readonly Discount[];
  exemption: { userId: number; reason: string | null } | undefined;
}): void {
  if (read.rules.version !== rules.version) discounts.clear();
  rules = read.rules;
  for (const [id, product] of read.products) products.set(id, product);
  for (const discount of read.discounts) if (discount.code !== null) discounts.set(discount.code, discount);
  if (!read.exemption) return;
  const { userId, reason } = read.exemption;
  if (reason === null) exemptions.delete(userId);
  else exemptions.set(userId, reason);
}
