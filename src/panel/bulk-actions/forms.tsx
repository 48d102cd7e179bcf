import { splitTags, TAGS_HINT } from "../../domain/tags.ts";
import { type Caller, may } from "../../platform/auth/caller.ts";
import type { FormChoices } from "../choices.ts";
import { byId, type FormInput, type FormInputs, type FormState, formFor, orNone } from "../forms/inputs.ts";
import { type FieldKind, number, numbers, optional, orNull, percent, text, type Values } from "../forms/kinds.ts";
import { Field } from "../kit/fields.tsx";
import { tagsInput } from "../orders/inputs.ts";

// Actions for the selected rows of a list. A field appears while its action is chosen: see panel.css.

const ids = { as: "group", label: "Selected rows" } satisfies FormInput;

export const productsActionInputs = (categories: FormChoices["categories"]) =>
  ({
    ids,
    action: {
      as: "choice",
      label: "Action",
      options: [
        ["activate", "Set active"],
        ["draft", "Set draft"],
        ["category", "Move to a category"],
        ["tag", "Add tags"],
        ["untag", "Remove tags"],
        ["price", "Change the price"],
        ["add", "Add to the stock"],
        ["count", "Set the stock"],
      ],
    },
    "change.category_id": { as: "choice", label: "Category", options: orNone("None", byId(categories)) },
    tags: { as: "tags", label: "Tags", hint: TAGS_HINT, placeholder: "Summer, Sale" },
    "change.price_percent": {
      as: "percent",
      label: "By percent",
      placeholder: "-10",
      hint: "If a product has variants, all of them are changed.",
    },
    "change.compare_at_price": {
      as: "choice",
      label: "Compare-at price",
      options: [
        ["", "Leave unchanged"],
        ["previous", "Set to the current price"],
        ["none", "Remove it"],
      ],
    },
    pieces: {
      as: "number",
      label: "Pieces",
      hint: "Products with variants have no stock of their own: open them to set it.",
    },
    "stock.reason": { as: "text", label: "Reason", maxlength: 200 },
  }) satisfies FormInputs;

export const ordersActionInputs = (caller: Caller) =>
  ({
    ids,
    action: {
      as: "choice",
      label: "Action",
      options: [
        ...(may(caller, "orders:write")
          ? ([
              ["ship", "Mark as shipped"],
              ["paid", "Mark as paid"],
              ["tag", "Add tags"],
              ["untag", "Remove tags"],
            ] as const)
          : []),
        ["packing-slips", "Print packing slips (up to 100)"],
        ["pick-list", "Print a pick list (up to 100)"],
      ],
    },
    carrier: { as: "text", label: "Carrier", maxlength: 100 },
    ...tagsInput,
  }) satisfies FormInputs;

export const customersActionInputs = {
  ids,
  action: {
    as: "choice",
    label: "Action",
    options: [
      ["tag", "Add tags"],
      ["untag", "Remove tags"],
    ],
  },
  tags: { as: "tags", label: "Tags", hint: TAGS_HINT, placeholder: "VIP, Wholesale" },
} satisfies FormInputs;

/** Classes of fields that only some actions have. */
const classes: Record<string, string> = {
  "change.category_id": "of-category",
  tags: "of-tag",
  "change.price_percent": "of-price",
  "change.compare_at_price": "of-price",
  pieces: "of-add of-count",
  "stock.reason": "of-add of-count",
  carrier: "of-ship",
};

/** The action and its fields. */
export const ActionFields = ({ form }: { form: FormState<string> }) => {
  const { ids: _ids, ...inputs } = form.inputs;
  return (
    <>
      {Object.keys(inputs).map((name) =>
        classes[name] ? (
          <div class={classes[name]}>
            <Field form={form} name={name} />
          </div>
        ) : (
          <Field form={form} name={name} />
        ),
      )}
    </>
  );
};

/** The bulk actions of a list. */
export function bulkActionsOf(list: string, inputs: FormInputs<"ids">) {
  const form = formFor(null, `${list}/bulk`, { inputs });
  return { form, fields: <ActionFields form={form} /> };
}

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

const ofCustomers: Record<string, (values: Values) => Kinds> = {
  tag: ({ tags = [] }) => ({ "change.add_tags": () => splitTags(tags.join()) }),
  untag: ({ tags = [] }) => ({ "change.remove_tags": () => splitTags(tags.join()) }),
};

const ofProducts: Record<string, (values: Values) => Kinds> = {
  activate: () => ({ "change.status": () => "active" }),
  draft: () => ({ "change.status": () => "draft" }),
  category: () => ({ "change.category_id": orNull(number) }),
  ...ofCustomers,
  price: () => ({ "change.price_percent": required(percent), "change.compare_at_price": optional }),
  add: ({ pieces = [] }) => ({ "stock.delta": () => required(number)(pieces), "stock.reason": text }),
  count: ({ pieces = [] }) => ({ "stock.quantity": () => required(number)(pieces), "stock.reason": text }),
};

const ofOrders: Record<string, (values: Values) => Kinds> = {
  ...ofCustomers,
  paid: () => ({ "change.payment_status": () => "paid" }),
  ship: ({ carrier = [] }) => ({
    "change.status": () => "shipped",
    "change.shipment": () => ({ carrier: carrier[0] ?? "" }),
  }),
};

function actionKinds(actions: typeof ofProducts, values: Values): Kinds {
  const action = values.action?.[0] ?? "";
  return { ...selection(values), ...(Object.hasOwn(actions, action) && actions[action]?.(values)) };
}

export const productsActionKinds = (values: Values): Kinds => actionKinds(ofProducts, values);
export const customersActionKinds = (values: Values): Kinds => actionKinds(ofCustomers, values);
export const ordersActionKinds = (values: Values): Kinds => actionKinds(ofOrders, values);
