import { type MethodRow, methodLabels } from "../../checkout/shipping/methods.ts";
import { formatMoney } from "../../domain/money.ts";
import { Badge } from "../kit/badge.tsx";
import { Money } from "../kit/money.tsx";
import { Table } from "../kit/table.tsx";

type Props = { label: string; methods: MethodRow[]; currency: string };

/** A zone's shipping methods. */
export const MethodTable = ({ label, methods, currency }: Props) => (
  <Table
    label={label}
    rows={methods}
    columns={[
      { title: "Method", cell: ({ id, name }) => <a href={`/admin/shipping-methods/${id}`}>{name}</a> },
      { title: "Kind", cell: ({ kind }) => methodLabels[kind] },
      { title: "Price", cell: (method) => priceOf(method, currency) },
      { title: "Free from", cell: ({ freeFrom }) => freeFrom && <Money minor={freeFrom} currency={currency} /> },
      { title: "Days", cell: daysOf },
      { title: "State", cell: ({ enabled }) => <Badge status={enabled ? "active" : "disabled"} /> },
    ]}
  />
);

function priceOf({ kind, price, brackets }: MethodRow, currency: string): string {
  if (kind !== "weight") return price === 0 ? "Free" : formatMoney(price, currency);
  return brackets
    .map((bracket) => `${formatMoney(bracket.price, currency)} up to ${bracket.upToGrams / 1000} kg`)
    .join(", ");
}

function daysOf({ minDays, maxDays }: MethodRow): string | null {
  if (minDays === maxDays) return minDays === null ? null : String(minDays);
  if (minDays === null) return `up to ${maxDays}`;
  return maxDays === null ? `${minDays} or more` : `${minDays} to ${maxDays}`;
}
