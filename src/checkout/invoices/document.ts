import { WHOLE } from "../../domain/percent.ts";
import { distribute, scaled, sum } from "../../domain/rounding.ts";
import type { StoredTaxLine } from "../../platform/db/schema.ts";
import { rateSum } from "../pricing/public.ts";
import type { InvoicedGoods, InvoicedOrder, invoices } from "./tables.ts";

export type InvoiceRow = typeof invoices.$inferSelect;

/** A line of an invoice in minor units. On a credit note, quantity and amounts are negative. */
export type InvoiceLine = {
  name: string;
  sku: string | null;
  options: InvoicedGoods["items"][number]["optionValues"];
  quantity: number;
  /** Price of a unit as it was sold. Null if the line is not about units. */
  unitPrice: number | null;
  net: number;
  taxes: StoredTaxLine[];
};

/** Net amount with the taxes on it, which are empty if it is not taxed. */
export type TaxGroup = Pick<InvoiceLine, "net" | "taxes">;

/** English names of the lines that are not goods. Documents show them in the language of the buyer. */
export const SHIPPING_NAME = "Shipping";
export const ADJUSTMENT_NAME = "Price adjustment";

export const taxOfLine = ({ taxes }: TaxGroup): number => sum(taxes.map(({ amount }) => amount));

/** Lines of an invoice: the difference between the order when it was issued and the invoices before it. */
export function linesOfInvoice({ content, corrects }: Pick<InvoiceRow, "content" | "corrects">): InvoiceLine[] {
  const now = positionsOf(content.goods, content);
  const before = positionsOf(corrects?.goods ?? null, content);
  const lines = [...new Set([...now.keys(), ...before.keys()])].map((key) => minus(now.get(key), before.get(key)));
  return lines.filter((line) => line.quantity !== 0 || line.net !== 0 || taxOfLine(line) !== 0);
}

/** Net and tax of an invoice by rate. Lines taxed alike add up. */
export const taxGroups = (lines: readonly InvoiceLine[]): TaxGroup[] =>
  [...Map.groupBy(lines, ratesOf).values()].map((group) => ({
    net: sum(group.map(({ net }) => net)),
    taxes: (group[0]?.taxes ?? []).map((tax, at) => ({
      ...tax,
      amount: sum(group.map(({ taxes }) => taxes[at]?.amount ?? 0)),
    })),
  }));

const ratesOf = ({ taxes }: TaxGroup): string =>
  JSON.stringify(taxes.map(({ name, rate, exemption }) => [name, rate, exemption]));

const EMPTY = { quantity: 0, net: 0, taxes: [] };

function minus(now: InvoiceLine | undefined, before: InvoiceLine | undefined): InvoiceLine {
  const line = now ?? before;
  if (!line) throw new Error("a line of an invoice is in neither state");
  const [one, other] = [now ?? EMPTY, before ?? EMPTY];
  return {
    ...line,
    quantity: one.quantity - other.quantity,
    net: one.net - other.net,
    taxes: line.taxes.map((tax, at) => ({
      ...tax,
      amount: (one.taxes[at]?.amount ?? 0) - (other.taxes[at]?.amount ?? 0),
    })),
  };
}

type Terms = Pick<InvoicedOrder, "pricesIncludeTax">;

/** Lines of an order less what was refunded. They add up to its total and tax exactly. */
function positionsOf(goods: InvoicedGoods | null, terms: Terms): Map<string, InvoiceLine> {
  if (goods === null) return new Map();
  const left = keptLines(goods, terms);
  const sold = keptLines(beforeRefunds(goods), terms);
  const returned = [...left].map(([key, line]) => minus(sold.get(key), line));
  return new Map([...left, ...adjustments(goods, [...left.values()], returned)]);
}

/** Lines of the units and the shipping that were not refunded. */
const keptLines = (goods: InvoicedGoods, terms: Terms): Map<string, InvoiceLine> =>
  new Map([...itemsOf(goods, terms), ...shippingOf(goods, terms)]);

const beforeRefunds = ({ items, ...goods }: InvoicedGoods): InvoicedGoods => ({
  ...goods,
  items: items.map((item) => ({ ...item, refundedQuantity: 0 })),
  refundedShipping: 0,
});

/** Units that were not refunded, with their share of the amount paid for the line. */
const itemsOf = ({ items }: InvoicedGoods, terms: Terms): [string, InvoiceLine][] =>
  items.map((item) => {
    const { id, name, sku, optionValues, quantity, refundedQuantity, unitPrice, taxLines } = item;
    const left = (amount: number) => amount - scaled(amount, refundedQuantity, quantity);
    const paid = item.total - item.discount + (terms.pricesIncludeTax ? 0 : item.tax);
    const taxes = taxesOf(left(item.tax), taxLines);
    const line = { name, sku, options: optionValues, quantity: quantity - refundedQuantity, taxes };
    const shownPrice = isTaxTakenOut(taxLines, terms) ? scaled(paid, 1, quantity) : unitPrice;
    return [
      JSON.stringify([id, unitPrice, ratesOf({ net: 0, taxes })]),
      { ...line, unitPrice: shownPrice, net: left(paid) - left(item.tax) },
    ];
  });

/** True if a price that includes tax was reduced by tax that is not due. Prices of a small business and of vouchers contain none. */
const isTaxTakenOut = (taxes: readonly StoredTaxLine[], { pricesIncludeTax }: Terms): boolean =>
  pricesIncludeTax &&
  rateSum(taxes) === 0 &&
  !taxes.some(({ exemption }) => exemption === "small_business" || exemption === "voucher");

/** Taxes of shipping are those of the order that no item has. */
function shippingOf(goods: InvoicedGoods, { pricesIncludeTax }: Terms): [string, InvoiceLine][] {
  const { shippingTotal, shippingDiscount, shippingTax, refundedShipping, shippingName } = goods;
  const paid = shippingTotal - shippingDiscount + (pricesIncludeTax ? 0 : shippingTax);
  if (paid === 0) return [];
  const ofItems = (name: string, rate: number) =>
    sum(
      goods.items
        .flatMap(({ taxLines }) => taxLines.filter((tax) => tax.name === name && tax.rate === rate))
        .map(({ amount }) => amount),
    );
  const rest = goods.taxLines.map((line) => ({ ...line, amount: line.amount - ofItems(line.name, line.rate) }));
  const taxed = rest.filter(({ amount }) => amount > 0);
  // Shipping is exempt with the goods that are sent, but not as a service to the buyer's country.
  const exempt = rest.filter(
    ({ exemption }) => exemption !== undefined && exemption !== "reverse_charge" && exemption !== "voucher",
  );
  const ofShipping = taxed.length > 0 ? taxed : exempt;
  const tax = shippingTax - scaled(shippingTax, refundedShipping, paid);
  const quantity = refundedShipping < paid ? 1 : 0;
  const line = { name: shippingName ?? SHIPPING_NAME, sku: null, options: [], quantity, unitPrice: null };
  const parts = byRates(goods, { net: paid - refundedShipping - tax, taxes: taxesOf(tax, ofShipping) });
  return parts.map((part) => [`shipping ${ratesOf(part)}`, { ...line, ...part }]);
}

/** Divides shipping of goods that are taxed differently among their rates, each with its part of the net amount. */
function byRates({ items }: InvoicedGoods, whole: TaxGroup): TaxGroup[] {
  const sets = new Map(items.map(({ taxLines: taxes }) => [ratesOf({ net: 0, taxes }), taxes]));
  const parts = [...sets.values()]
    .map((set) => whole.taxes.filter(({ name, rate }) => set.some((tax) => tax.name === name && tax.rate === rate)))
    .filter(({ length }) => length > 0);
  if (sum(parts.map(({ length }) => length)) !== whole.taxes.length) return [whole];
  const taxable = parts.map((taxes) =>
    scaled(taxOfLine({ net: 0, taxes }), WHOLE, Math.max(1, sum(taxes.map(({ rate }) => rate)))),
  );
  const nets = distribute(whole.net, taxable);
  return parts.length < 2 ? [whole] : parts.map((taxes, at) => ({ net: nets[at] ?? 0, taxes }));
}

/**
 * Amounts that were refunded without units, divided among the rates like what is left of the order, and amounts that the shop
 * kept for damage, divided like what was returned.
 */
function adjustments(
  goods: InvoicedGoods,
  left: readonly InvoiceLine[],
  returned: readonly InvoiceLine[],
): [string, InvoiceLine][] {
  const amount = goods.total - goods.refundedTotal - sum(left.map(grossOf));
  const tax = goods.taxTotal - goods.refundedTax - sum(left.map(taxOfLine));
  const groups = taxGroups(amount > 0 ? returned : left);
  const ofGross = portions(amount, groups.map(grossOf));
  const ofTax = portions(tax, groups.map(taxOfLine));
  return groups.flatMap(({ taxes }, at): [string, InvoiceLine][] => {
    const [gross, share] = [ofGross[at] ?? 0, ofTax[at] ?? 0];
    if (gross === 0 && share === 0) return [];
    const line = { name: ADJUSTMENT_NAME, sku: null, options: [], quantity: 1, unitPrice: null };
    return [
      [`adjustment ${ratesOf({ net: 0, taxes })}`, { ...line, net: gross - share, taxes: taxesOf(share, taxes) }],
    ];
  });
}

const grossOf = (group: TaxGroup): number => group.net + taxOfLine(group);

const portions = (amount: number, weights: readonly number[]): number[] =>
  distribute(Math.abs(amount), weights.map(Math.abs)).map((part) => Math.sign(amount) * part);

/** Divides the tax of a line among its rates as when it was sold. */
const taxesOf = (tax: number, taxLines: readonly StoredTaxLine[]): StoredTaxLine[] => {
  const parts = portions(
    tax,
    taxLines.map(({ amount }) => amount),
  );
  return taxLines.map((line, at) => ({ ...line, amount: parts[at] ?? 0 }));
};
