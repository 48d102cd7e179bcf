import type { Schema } from "@storefront-worker/api/client";
import { Money } from "./money.tsx";

type PricedTotals = Pick<
  Schema["Order"],
  "currency" | "subtotal" | "discounts" | "shipping_total" | "tax_lines" | "total"
> & { shipping_method: { name: string } | null; tax_exempt_reason?: string | null };

/** The total of an order, with its parts if there are several. */
export const Total = ({ of: priced }: { of: PricedTotals }) => {
  const { currency, total, tax_lines, tax_exempt_reason } = priced;
  const parts = partsOf(priced);
  return (
    <>
      {parts.length > 0 && (
        <ul class="summary parts">
          {[{ name: "Subtotal", amount: priced.subtotal }, ...parts].map(({ name, amount }) => (
            <li>
              <span>{name}</span>
              {amount === 0 ? <span>Free</span> : <Money amount={amount} currency={currency} />}
            </li>
          ))}
        </ul>
      )}
      <div class="total">
        <span>Total</span>
        <Money amount={total} currency={currency} />
      </div>
      {tax_lines
        .filter(({ inclusive }) => inclusive)
        .map(({ name, rate, amount }) => (
          <p class="quiet included">
            Includes <Money amount={amount} currency={currency} /> {named(name, rate)}
          </p>
        ))}
      {tax_exempt_reason && <p class="quiet included">Tax exempt: {tax_exempt_reason}</p>}
    </>
  );
};

/** The parts between subtotal and total, excluding tax that is included in the prices. */
const partsOf = ({ discounts, shipping_method, shipping_total, tax_lines }: PricedTotals) => [
  ...discounts.map(({ name, code, amount }) => ({ name: code ? `${name} (${code})` : name, amount: -amount })),
  ...(shipping_method ? [{ name: `Shipping: ${shipping_method.name}`, amount: shipping_total }] : []),
  ...tax_lines
    .filter(({ inclusive }) => !inclusive)
    .map(({ name, rate, amount }) => ({ name: named(name, rate), amount })),
];

const RATE = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });

const named = (tax: string, rate: number): string => `${tax} ${RATE.format(rate)}%`;
