import { type FieldKind, number, numbers, optional, orNull, percent, text } from "../forms/kinds.ts";
import type { Values } from "../forms/values.ts";

type Kinds = Record<string, FieldKind>;

/** What was chosen: the rows that were ticked, or all that the list shows with its filters. */
export const selection = ({ all }: Values): Kinds =>
  all?.[0] === "true"
    ? { filters: ([filters = ""]) => Object.fromEntries(new URLSearchParams(filters)) }
    : { ids: numbers };

const ofProducts: Record<string, (values: Values) => Kinds> = {
  activate: () => ({ "change.status": () => "active" }),
  draft: () => ({ "change.status": () => "draft" }),
  category: () => ({ "change.category_id": orNull(number) }),
  price: () => ({ "change.price_percent": percent, "change.compare_at_price": optional }),
  add: ({ pieces = [] }) => ({ "stock.delta": () => number(pieces), "stock.reason": text }),
  count: ({ pieces = [] }) => ({ "stock.quantity": () => number(pieces), "stock.reason": text }),
};

const ofOrders: Record<string, (values: Values) => Kinds> = {
  paid: () => ({ "change.payment_status": () => "paid" }),
  ship: ({ carrier = [] }) => ({
    "change.status": () => "shipped",
    "change.shipment": () => ({ carrier: carrier[0] ?? "" }),
  }),
};

const kindsOf = (actions: typeof ofProducts, values: Values): Kinds => ({
  ...selection(values),
  ...actions[values.action?.[0] ?? ""]?.(values),
});

export const productsActionKinds = (values: Values): Kinds => kindsOf(ofProducts, values);
export const ordersActionKinds = (values: Values): Kinds => kindsOf(ofOrders, values);
