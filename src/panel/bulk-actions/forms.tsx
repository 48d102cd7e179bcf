import type { Choices } from "../choices.ts";
import { type FieldKind, number, numbers, optional, orNull, percent, text } from "../forms/kinds.ts";
import type { FormState } from "../forms/state.ts";
import type { Values } from "../forms/values.ts";
import { Field, Select } from "../kit/fields.tsx";

// Actions for the selected rows of a list. A field shows while its action is chosen: see panel.css.

export const ProductChangeFields = ({ form, categories }: { form: FormState; categories: Choices["categories"] }) => (
  <>
    <Select
      form={form}
      name="action"
      label="Action"
      options={[
        ["activate", "Set active"],
        ["draft", "Set draft"],
        ["category", "Move to a category"],
        ["price", "Change the price"],
        ["add", "Add to the stock"],
        ["count", "Set the stock"],
      ]}
    />
    <div class="of-category">
      <Select
        form={form}
        name="change.category_id"
        label="Category"
        options={[["", "None"], ...categories.map(({ id, name }) => [String(id), name] as const)]}
      />
    </div>
    <div class="of-price">
      <Field form={form} name="change.price_percent" label="By percent" inputmode="decimal" placeholder="-10" />
    </div>
    <div class="of-price">
      <Select
        form={form}
        name="change.compare_at_price"
        label="Compare-at price"
        options={[
          ["", "Leave unchanged"],
          ["previous", "Set to the current price"],
          ["none", "Remove it"],
        ]}
      />
    </div>
    <div class="of-add of-count">
      <Field form={form} name="pieces" label="Pieces" inputmode="numeric" />
    </div>
    <div class="of-add of-count">
      <Field form={form} name="stock.reason" label="Reason" maxlength={200} />
    </div>
  </>
);

export const OrderFields = ({ form }: { form: FormState }) => (
  <>
    <Select
      form={form}
      name="action"
      label="Action"
      options={[
        ["ship", "Mark as shipped"],
        ["paid", "Mark as paid"],
        ["slips", "Print packing slips (up to 100)"],
      ]}
    />
    <div class="of-ship">
      <Field form={form} name="carrier" label="Carrier" maxlength={100} />
    </div>
  </>
);

type Kinds = Record<string, FieldKind>;

/** The selection: the ticked rows, or all that match the list's filters. */
export const selection = ({ all }: Values): Kinds =>
  all?.[0] === "true"
    ? { filters: ([filters = ""]) => Object.fromEntries(new URLSearchParams(filters)) }
    : { ids: numbers };

/** A required field of an action. An empty one is sent too, so that the schema refuses it by name. */
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
