import { type DiscountRow, type DiscountState, discountFields } from "../../checkout/discounts/fields.ts";
import { withDefaults } from "../../checkout/discounts/rules.ts";
import { formatMoney, shopCurrency } from "../../domain/money.ts";
import { formatPercent, WHOLE } from "../../domain/percent.ts";
import { changeShape, newRow } from "../../platform/administration/fields.ts";
import { changedIn } from "../forms/edit.ts";
import { optionsOf } from "../forms/inputs.ts";
import { readSoFar } from "../forms/read-form.ts";
import { When } from "../kit/dates.tsx";
import { PreviewCard } from "../kit/preview.tsx";
import { DescriptionList } from "../kit/values.tsx";
import type { Names } from "../references.ts";
import { type DiscountForm, discountFieldKinds } from "./inputs.ts";

// Describes a discount in a merchant's words: "10 % off Posters, from $50.00".

/** Maximum number of covered items that are named. */
const NAMED = 2;

type DiscountScope = Pick<DiscountRow, "appliesTo" | "productIds" | "categoryIds">;

const coveredBy = ({ categoryIds, productIds }: Pick<DiscountScope, "categoryIds" | "productIds">): string[] => [
  ...categoryIds.map((id) => `category:${id}`),
  ...productIds.map((id) => `product:${id}`),
];

/** References to the named items. */
export const namedBy = (discount: Pick<DiscountScope, "categoryIds" | "productIds">): string[] =>
  coveredBy(discount).slice(0, NAMED);

/** "Posters, Mugs and 3 more". Null for everything. The covered products may all have been deleted. */
function covered(discount: DiscountScope, names: Names): string | null {
  const named = namedBy(discount).map((reference) => names.get(reference) ?? reference.replace(":", " "));
  const more = coveredBy(discount).length - named.length;
  if (discount.appliesTo === "all_products") return null;
  if (named.length === 0) return "no products";
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(" and ");
}

/** Null while a form lacks the value. */
function reduction(discount: DiscountState, names: Names, currency: string): string | null {
  const what = covered(discount, names);
  const { percent, amount, buyQuantity, getQuantity } = discount;
  switch (discount.kind) {
    case "percentage":
      return percent === null ? null : `${formatPercent(percent)} off ${what ?? "everything"}`;
    case "amount":
      return amount === null ? null : `${formatMoney(amount, currency)} off ${what ?? "everything"}`;
    case "free_shipping":
      return `Free shipping${what === null ? "" : ` with ${what}`}`;
    case "buy_x_get_y": {
      if (buyQuantity === null || getQuantity === null) return null;
      const price = percent === WHOLE ? "free" : `at ${formatPercent(percent ?? WHOLE)} off`;
      return `Buy ${buyQuantity}, get ${getQuantity} ${price}${what === null ? "" : `: ${what}`}`;
    }
  }
}

export function inWords(discount: DiscountState, names: Names, currency: string): string | null {
  const { minimumSubtotal, firstOrderOnly } = discount;
  const reduced = reduction(discount, names, currency);
  if (reduced === null) return null;
  return [
    reduced,
    ...(minimumSubtotal === null ? [] : [`from ${formatMoney(minimumSubtotal, currency)}`]),
    ...(firstOrderOnly ? ["on the first order"] : []),
  ].join(", ");
}

export const DiscountCode = ({ code }: Pick<DiscountRow, "code">) =>
  code === null ? <span class="muted">automatic</span> : <code>{code}</code>;

export const Uses = ({ uses, maxUses }: Pick<DiscountRow, "uses" | "maxUses">) => (
  <span>{maxUses === null ? uses : `${uses} of ${maxUses}`}</span>
);

/** The discount that a form describes so far, with the names of what it covers. */
function describedBy({ values, picks, inputs }: DiscountForm) {
  const sent = readSoFar(values, discountFieldKinds(values), changeShape(discountFields));
  const products = picks.get("product_ids")?.chosen ?? [];
  const row = newRow(
    discountFields,
    { ...sent, product_ids: products.map(({ value }) => Number(value)) },
    { appliesTo: "all_products" },
  );
  const isScopeChanged = changedIn(values, ["applies_to"]).length > 0;
  const names = new Map([
    ...products.map(({ value, label }) => [`product:${value}`, label] as const),
    ...[...optionsOf(inputs.category_ids)].map(([id, name]) => [`category:${id}`, name.trim()] as const),
  ]);
  return { discount: withDefaults(row, isScopeChanged ? sent.applies_to : undefined), names };
}

/** A card about what customers get, by the form as it is filled in. `uses` is absent for a new discount. */
export const Summary = ({ form, uses }: { form: DiscountForm; uses: number | undefined }) => {
  const { discount, names } = describedBy(form);
  const { maxUses } = discount;
  const words = inWords(discount, names, shopCurrency());
  return (
    <PreviewCard title="Summary">
      {words === null ? <p class="muted">Fill in the value to see what customers get.</p> : <strong>{words}</strong>}
      <DescriptionList
        facts={{
          Code: <DiscountCode code={discount.code ?? null} />,
          Uses: uses === undefined && maxUses === null ? "no limit" : <Uses uses={uses ?? 0} maxUses={maxUses} />,
          Starts: <When at={discount.startsAt} none="at once" />,
          Ends: <When at={discount.endsAt} none="never" />,
        }}
      />
    </PreviewCard>
  );
};
