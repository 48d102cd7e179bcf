import type { Schema } from "@storefront-worker/api/client";
import { Money } from "./money.tsx";

type UnitPricing = Schema["UnitPricing"];

const symbols: Partial<Record<UnitPricing["reference"]["unit"], string>> = {
  l: "L",
  cbm: "m³",
  sqm: "m²",
  floz: "fl oz",
  sqft: "sq ft",
};

/** A price per unit of measure, such as $3.98 / 100 g, beside the price of a product. Nothing if it has none. */
export const UnitPrice = ({ of, currency }: { of: UnitPricing | null; currency: string }) => {
  if (of === null) return null;
  const { value, unit } = of.reference;
  return (
    <small class="unit-price">
      <Money amount={of.price} currency={currency} /> / {value > 1 && `${value} `}
      {symbols[unit] ?? unit}
    </small>
  );
};
