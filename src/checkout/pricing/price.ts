import { distribute, sum } from "../../domain/rounding.ts";
import type { StoredTaxLine } from "../../platform/db/schema.ts";
import { combinations, isFor, isGiftCard, reductions } from "./discounts.ts";
import { homeOf } from "./matching-places.ts";
import { shippingOptions } from "./shipping.ts";
import {
  addedUp,
  exemptRate,
  rateSum,
  ratesInTable,
  shippingRates,
  taxExemption,
  taxNotDue,
  taxOf,
  taxOn,
} from "./taxes.ts";
import type {
  AnyDiscount,
  ApplicableRate,
  AppliedDiscount,
  Basket,
  ChosenShipping,
  Discount,
  Line,
  Place,
  PricingResult,
  RatesAt,
  Rules,
  ShippingOption,
} from "./types.ts";
import { isInVatArea, vatPlaceOf } from "./vat-area.ts";

/**
 * Prices a basket, for quotes and orders alike. Among discounts that do not combine, the buyer gets the cheapest result. Each
 * step yields integers that add up.
 */
export function priceBasket(rules: Rules, basket: Basket, ratesAt: RatesAt = ratesInTable(rules)): PricingResult {
  const usable = basket.discounts.filter((discount) => isFor(discount, basket.lines));
  const [together, ...others] = combinations(usable);
  return others
    .map((discounts) => priceWith(rules, basket, discounts, ratesAt))
    .reduce((best, other) => (other.total < best.total ? other : best), priceWith(rules, basket, together, ratesAt));
}

function priceWith(rules: Rules, basket: Basket, discounts: readonly Discount[], ratesAt: RatesAt): PricingResult {
  const { lines } = basket;
  const totals = lines.map(({ quantity, unitPrice }) => quantity * unitPrice);
  const { applied, left } = reduce(
    basket.manualDiscount ? [...discounts, basket.manualDiscount] : discounts,
    lines,
    totals,
  );
  const leftOfGoods = sum(lines.map((line, index) => (isGiftCard(line) ? 0 : (left[index] ?? 0))));
  const options = shippingOptions(rules, basket.shipTo ?? homeOf(rules), lines, leftOfGoods);
  const method = methodFor(basket, options);
  const taxes = taxesFor(rules, basket, method, ratesAt);
  const goods = lines.map((line, index) => {
    const amount = left[index] ?? 0;
    const { due, atHome } = taxes(line);
    const notDue = rules.pricesIncludeTax ? taxNotDue(amount, atHome, due) : 0;
    const taxLines = taxOn(amount - notDue, due, rules.pricesIncludeTax);
    const total = totals[index] ?? 0;
    return { total, notDue, priced: { total, discount: total - amount + notDue, tax: taxOf(taxLines), taxLines } };
  });
  const shipping = priceShipping(rules, basket, left, method, discounts, taxes);
  const notDue = goods.map((line) => line.notDue);
  const priced = goods.map((line) => line.priced);
  const taxTotal = sum(priced.map(({ tax }) => tax)) + shipping.tax;
  const subtotal = sum(totals);
  const discountTotal = sum(priced.map(({ discount }) => discount)) + shipping.discount;
  return {
    lines: priced,
    subtotal,
    discountTotal,
    shippingTotal: shipping.price,
    shippingDiscount: shipping.discount,
    shippingTax: shipping.tax,
    taxTotal,
    pricesIncludeTax: rules.pricesIncludeTax,
    total: subtotal - discountTotal + shipping.price + (rules.pricesIncludeTax ? 0 : taxTotal),
    taxLines: addedUp([...priced.flatMap((line) => line.taxLines), ...shipping.taxLines]),
    discounts: [...applied, ...shipping.applied, ...notDueDiscount(notDue, shipping.notDue)].filter(
      ({ amount }) => amount > 0,
    ),
    shippingOptions: options,
    shippingMethod: method,
  };
}

/** Removes tax that is not due from prices that include it. */
const notDueDiscount = (off: readonly number[], ofShipping: number): AppliedDiscount[] => [
  { id: null, code: null, name: "Tax not due", version: 0, amount: sum(off) + ofShipping, off },
];

/** The shipping priced by staff, or else the chosen option or the cheapest. Null if nothing is shipped. */
function methodFor(
  { customShipping, shippingMethodId, lines }: Basket,
  options: ShippingOption[],
): ChosenShipping | null {
  if (customShipping !== undefined && lines.some(({ requiresShipping }) => requiresShipping)) return customShipping;
  return options.find(({ id }) => id === shippingMethodId) ?? options[0] ?? null;
}

/** Applies discounts to the lines one after the other. Returns the reductions and what is left of each line. */
function reduce(discounts: readonly AnyDiscount[], lines: readonly Line[], totals: readonly number[]) {
  let left = [...totals];
  const applied = discounts
    .filter(({ kind }) => kind !== "free_shipping")
    .map((discount) => {
      const off = reductions(discount, lines, left);
      left = left.map((amount, index) => amount - (off[index] ?? 0));
      return toApplied(discount, sum(off), off);
    });
  return { applied, left };
}

/** Keeps the terms of a discount by staff, so that an edit of the order can apply it again. */
const toApplied = (
  { id, code, name, updatedAt, ...terms }: AnyDiscount,
  amount: number,
  off: readonly number[],
): AppliedDiscount => ({
  id,
  code,
  name,
  version: updatedAt,
  amount,
  off,
  ...(id === null && { given: { amount: terms.amount, percent: terms.percent } }),
});

type Taxes = (line: Line) => { due: ApplicableRate[]; atHome: ApplicableRate[] };

/**
 * Tax rates of a line by destination: the destination or pickup location for goods, and the billing address for
 * everything else.
 */
function taxesFor(
  rules: Rules,
  { shipTo, billTo, taxExempt, vatCountry }: Basket,
  method: ChosenShipping | null,
  ratesAt: RatesAt,
): Taxes {
  const home = homeOf(rules);
  const placeOf = ({ requiresShipping }: Pick<Line, "requiresShipping">): Place | null => {
    if (requiresShipping) return method?.kind === "pickup" ? home : (shipTo ?? home);
    return billTo ?? shipTo ?? home;
  };
  return ({ taxClass, type, ...line }) => {
    const to = placeOf(line);
    // The borders of the VAT area matter to shops within it.
    const place = home && isInVatArea(home) ? vatPlaceOf(to, line.requiresShipping) : to;
    const atHome = ratesAt(home, taxClass);
    if (isGiftCard({ type })) {
      // A multi-purpose voucher is taxed when it is used (article 30b of Directive 2006/112/EC), and its price contains no tax.
      const due = home && isInVatArea(home) && !taxExempt ? [exemptRate("voucher", atHome)] : [];
      return { due, atHome: due };
    }
    const usual = ratesAt(place, taxClass);
    if (taxClass === "exempt" || (taxExempt && !rules.smallBusiness)) return { due: [], atHome };
    const exemption = taxExemption(rules, { place, isShipped: line.requiresShipping, vatCountry });
    // A shop with a rate outside the Union is registered there.
    if (!exemption || (exemption === "export" && usual.length > 0)) return { due: usual, atHome };
    const due = [exemptRate(exemption, atHome)];
    // The prices of a small business contain no tax.
    return { due, atHome: exemption === "small_business" ? due : atHome };
  };
}

/** Taxes shipping by the rates of the shipped goods, in proportion to their prices. */
function priceShipping(
  { pricesIncludeTax }: Rules,
  { lines }: Basket,
  left: readonly number[],
  method: ChosenShipping | null,
  discounts: readonly Discount[],
  taxes: Taxes,
) {
  const price = method?.price ?? 0;
  const free = discounts.find(({ kind }) => kind === "free_shipping");
  const charged = free ? 0 : price;
  const applied = free ? [toApplied(free, price, [])] : [];
  const groups = Map.groupBy(
    lines
      .map((line, index) => ({ ...taxes(line), line, left: left[index] ?? 0 }))
      .filter(({ line }) => line.requiresShipping),
    ({ due, atHome }) => [...due, ...atHome].map(({ id }) => id).join(),
  );
  const members = [...groups.values()];
  const weightsBy = (weight: (member: { line: Line; left: number }) => number) =>
    members.map((group) => sum(group.map(weight)));
  const paid = weightsBy((member) => member.left);
  const weights = sum(paid) > 0 ? paid : weightsBy(({ line }) => line.quantity * line.unitPrice);
  const shares = distribute(charged, weights);
  let notDue = 0;
  const taxLines: StoredTaxLine[] = members.flatMap(([member], index) => {
    if (!member) return [];
    const [due, share] = [shippingRates(member.due), shares[index] ?? 0];
    const isUntaxed = pricesIncludeTax && rateSum(member.due) === 0;
    const off = isUntaxed ? taxNotDue(share, shippingRates(member.atHome), due) : 0;
    notDue += off;
    return taxOn(share - off, due, pricesIncludeTax);
  });
  return { price, discount: price - charged + notDue, notDue, tax: taxOf(taxLines), taxLines, applied };
}
