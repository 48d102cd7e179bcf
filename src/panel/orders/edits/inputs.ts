import type { EditQuote } from "../../../checkout/orders/edits/schemas.ts";
import type { OrderRow } from "../../../checkout/orders/schemas.ts";
import type { FieldErrors } from "../../../domain/errors.ts";
import { toDecimalOrNull } from "../../../domain/money.ts";
import { toPercentOrNull } from "../../../domain/percent.ts";
import { kindsOf } from "../../forms/conversion.ts";
import { dirtyKinds } from "../../forms/edit.ts";
import { type FormInput, type FormInputs, orNone } from "../../forms/inputs.ts";
import { type FieldKind, type Initial, money, number, optional, orNull, type Values } from "../../forms/kinds.ts";
import {
  codesIn,
  isOrdered,
  orderInputs,
  priceField,
  productsIn,
  quantityField,
  type RowField,
  rowInputs,
} from "../by-hand/inputs.ts";
import { addressInputs, addressValues } from "../inputs.ts";

// The form that edits a placed order. Each item has a row with a quantity and a new price; products are added below.

/** The id of an item's row, which differs from that of a product. */
export const rowOf = ({ id }: { id: number }) => `${ITEM}${id}`;

const ITEM = "item-";

/** The fixed inputs of the form. */
const editInputs = {
  items: orderInputs.items,
  add: orderInputs.add,
  ...addressInputs("shipping_address", { isOptional: true }),
  "custom_shipping.name": orderInputs["custom_shipping.name"],
  "custom_shipping.price": orderInputs["custom_shipping.price"],
  "discount.percent": orderInputs["discount.percent"],
  "discount.amount": orderInputs["discount.amount"],
  "discount.reason": orderInputs["discount.reason"],
  discount_codes: orderInputs.discount_codes,
  tax_exempt_reason: { ...orderInputs.tax_exempt_reason, read: orNull(optional) },
  received: {
    as: "flag",
    label: "The shop has received the difference",
    hint: "Record it here once the customer has paid it, such as by bank transfer.",
  },
  notify: {
    as: "flag",
    label: "E-mail the changes to the customer",
    hint: "Shows the updated items and total, and how to pay if the order is unpaid.",
  },
  note: orderInputs.note,
} satisfies FormInputs;

export type EditField = keyof typeof editInputs | RowField | "shipping_method";

/** The form's inputs for an order and the products added to it. */
export const editInputsFor = (order: OrderRow, values: Values, quote: EditQuote | undefined) => ({
  ...editInputs,
  ...rowInputs([...order.items.map(rowOf), ...productsIn(values)]),
  ...shippingInput(order, quote),
});

const shippingInput = ({ shippingMethod, items }: OrderRow, quote: EditQuote | undefined) => ({
  shipping_method: {
    as: "choice",
    label: "Shipping method",
    options: orNone(
      shippingMethod || items.some(({ requiresShipping }) => requiresShipping)
        ? `As ordered: ${shippingMethod?.name ?? "none"}`
        : "The cheapest",
      (quote?.shipping_options ?? []).map(({ id, name }) => [String(id), name] as const),
    ),
    read: number,
  } satisfies FormInput,
});

/** True if the customer has an e-mail address. */
export const hasAddress = ({ userId, customerEmail }: OrderRow): boolean => userId !== null || customerEmail !== null;

/** Values of the form for an order as it is. */
export function editValues(order: OrderRow): Record<string, Initial> {
  const { discounts, taxExemptReason, items, shippingAddress } = order;
  const given = discounts.find((discount) => discount.given);
  return {
    ...Object.fromEntries(items.map((item) => [quantityField(rowOf(item)), item.quantity])),
    ...addressValues("shipping_address", shippingAddress),
    "discount.percent": toPercentOrNull(given?.given?.percent ?? null),
    "discount.amount": toDecimalOrNull(given?.given?.amount ?? null),
    "discount.reason": given?.name ?? null,
    discount_codes: discounts.flatMap(({ code }) => code ?? []).join(", "),
    tax_exempt_reason: taxExemptReason,
    notify: hasAddress(order),
  };
}

/** Rows of items with which the form was opened, even if the order has changed since. */
const itemRows = (values: Values): string[] =>
  Object.keys(values).flatMap((name) => /^quantity-(item-\d{1,15})$/.exec(name)?.[1] ?? []);

/** Rows of the form that remain in the order, in the order of the request: its items, then added products. */
const remainingRows = (values: Values): string[] =>
  [...itemRows(values), ...productsIn(values)].filter((row) => isOrdered(values, row));

type EditKinds = { content: Record<string, FieldKind>; terms: Record<string, FieldKind> };

/** Converters of the form into an edit of the API, from the changed fields and those about the edit itself. */
export function editKinds(order: OrderRow, values: Values): EditKinds {
  const {
    note,
    notify,
    received,
    items: _,
    add: __,
    ...fields
  } = kindsOf({ ...editInputs, ...shippingInput(order, undefined) });
  const rows = itemRows(values);
  const isTouched =
    productsIn(values).length > 0 || Object.keys(dirtyKinds(kindsOf(rowInputs(rows)), values)).length > 0;
  const { discount_codes: codes, ...dirty } = dirtyKinds(fields, values);
  const isGiven = Boolean(values["discount.percent"]?.[0] || values["discount.amount"]?.[0]);
  const others = Object.entries(dirty).filter(([name]) => isGiven || !name.startsWith("discount."));
  return {
    content: {
      ...Object.fromEntries(others),
      ...("discount.reason" in dirty && !isGiven && { discount: () => null }),
      ...(codes && { discount_codes: codesIn }),
      ...(isTouched && {
        items: () => remainingRows(values).map((row) => lineOf(row, values, rows.includes(row))),
      }),
    },
    terms: { note, notify, received },
  };
}

const lineOf = (row: string, values: Values, isKept: boolean) => ({
  ...(isKept ? { id: Number(row.slice(ITEM.length)) } : { product_id: Number(row) }),
  quantity: number(values[quantityField(row)] ?? ["1"]),
  unit_price: money(priceField(row))(values[priceField(row)] ?? []),
});

const shownAt: Record<string, string> = { shipping_address: "shipping_address.address", body: "items" };

/** Maps errors of the edit's lines to the fields of their rows. */
export const editErrors = (values: Values, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, words]) => {
      const [list, index, part] = path.split(".");
      const row = list === "items" && index !== undefined ? remainingRows(values)[Number(index)] : undefined;
      if (row === undefined) return [shownAt[path] ?? path, words];
      return [part === "unit_price" ? priceField(row) : quantityField(row), words];
    }),
  );
