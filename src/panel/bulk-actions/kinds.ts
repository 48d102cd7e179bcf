import { type FieldKind, number, numbers, optional, orNull, percent, text } from "../forms/kinds.ts";
import type { Values } from "../forms/values.ts";

type Kinds = Record<string, FieldKind>;

/** What was chosen: the rows that were ticked, or all that the list shows with its filters. */
export const selection = ({ all }: Values): Kinds =>
  all?.[0] === "true"
    ? { filters: ([filters = ""]) => Object.fromEntries(new URLSearchParams(filters)) }
    : { ids: numbers };

/** A field that the action requires: an empty one is sent too, so that the schema refuses it by its name. */
const required =
  (kind: FieldKind): FieldKind =>
  (values) =>
    kind(values) ?? "";

const ofProducts: Record<string, (values: Values) => Kinds> = {
  activate: () => ({ "change.status": () => "active" }),
  draft: () => ({ "change.status": () => "draft" }),
  category: () => ({ "change.category_id": orNull(number) }),
  price: () => ({ "change.price_percent": required(percent), "change.compare_at_price": optional }),
  add: ({ pieces = [] }) => ({ "stock.delta": () => required(number)(pieces), "stock.reason": text }),
  count: ({ pieces = [] }) => ({ "stock.quantity": () => required(number)(pieces), "stock.reason": text }),
};

const ofOrders: Record<string, (values: Values) => Kinds> = {
  paid: () => ({ "change.payment_status": () => "paid" }),
  ship: ({ carrier = [] }) => ({
    "change.status": () => "shipped",
    "change.shipment": () => ({ carrier: carrier[0] ?? "" }),
  }),
};

function kindsOf(actions: typeof ofProducts, values: Values): Kinds {
  const action = values.action?.[0] ?? "";
  return { ...selection(values), ...(Object.hasOwn(actions, action) && actions[action]?.(values)) };
}

export const productsActionKinds = (values: Values): Kinds => kindsOf(ofProducts, values);
export const ordersActionKinds = (values: Values): Kinds => kindsOf(ofOrders, values);
