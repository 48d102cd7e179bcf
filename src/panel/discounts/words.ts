import type { DiscountRow } from "../../checkout/discounts/fields.ts";
import { formatMoney } from "../../domain/money.ts";
import { formatPercent } from "../../domain/percent.ts";
import type { Names } from "../references.ts";

// Describes a discount in a merchant's words: "10 % off Posters, from $50.00".

/** Maximum number of covered items that are named. */
const NAMED = 2;

const WHOLE = 1_000_000;

type Covering = Pick<DiscountRow, "productIds" | "categoryIds">;

const coveredBy = ({ categoryIds, productIds }: Covering): string[] => [
  ...categoryIds.map((id) => `category:${id}`),
  ...productIds.map((id) => `product:${id}`),
];

/** References to the named items. */
export const namedBy = (discount: Covering): string[] => coveredBy(discount).slice(0, NAMED);

/** "Posters, Mugs and 3 more". Null for everything. */
function covered(discount: Covering, names: Names): string | null {
  const named = namedBy(discount).map((reference) => names.get(reference) ?? reference.replace(":", " "));
  const more = coveredBy(discount).length - named.length;
  if (named.length === 0) return null;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(" and ");
}

function reduction(discount: DiscountRow, names: Names, currency: string): string {
  const what = covered(discount, names);
  const { percent, amount, buyQuantity, getQuantity } = discount;
  switch (discount.kind) {
    case "percentage":
      return `${formatPercent(percent ?? 0)} off ${what ?? "everything"}`;
    case "amount":
      return `${formatMoney(amount ?? 0, currency)} off ${what ?? "everything"}`;
    case "free_shipping":
      return `Free shipping${what === null ? "" : ` with ${what}`}`;
    case "buy_x_get_y": {
      const price = percent === WHOLE ? "free" : `at ${formatPercent(percent ?? WHOLE)} off`;
      return `Buy ${buyQuantity}, get ${getQuantity} ${price}${what === null ? "" : `: ${what}`}`;
    }
  }
}

export function inWords(discount: DiscountRow, names: Names, currency: string): string {
  const { minimumSubtotal, firstOrderOnly } = discount;
  return [
    reduction(discount, names, currency),
    ...(minimumSubtotal === null ? [] : [`from ${formatMoney(minimumSubtotal, currency)}`]),
    ...(firstOrderOnly ? ["on the first order"] : []),
  ].join(", ");
}
