import { and, desc, eq, isNotNull } from "drizzle-orm";
import * as z from "zod";
import type { DraftContent } from "../../../checkout/orders/by-hand/schemas.ts";
import type { Quote } from "../../../checkout/orders/create/quote.ts";
import { addressLines } from "../../../domain/address.ts";
import type { FieldErrors } from "../../../domain/errors.ts";
import { manualMethods, paymentMethods, paymentTerms } from "../../../domain/payment-methods.ts";
import type { Options } from "../../../platform/administration/fields.ts";
import { capitalized } from "../../../platform/administration/resource.ts";
import { type AccountScope, inScope } from "../../../platform/auth/caller.ts";
import type { Database } from "../../../platform/db/client.ts";
import { addresses, orders } from "../../../platform/db/schema.ts";
import { kindsOf } from "../../forms/conversion.ts";
import { type FormInput, type FormInputs, orNone } from "../../forms/inputs.ts";
import {
  type FieldKind,
  flagKind,
  type Initial,
  money,
  number,
  optional,
  percent,
  type Values,
  valuesFrom,
} from "../../forms/kinds.ts";
import { type SentForm, sentForm } from "../../forms/read-form.ts";
import { addressInputs, addressValues } from "../inputs.ts";

// The form of an order that staff place. Products have a row each, with a quantity and a price.

export const quantityField = (id: string) => `quantity-${id}` as const;
export const priceField = (id: string) => `price-${id}` as const;

/** Hidden field with the customer whose last order's address was filled in. */
export const ADDRESS_OF = "address_of";

export type RowField = ReturnType<typeof quantityField | typeof priceField>;

export const rowInputs = (ids: readonly string[]): FormInputs<RowField> =>
  Object.fromEntries(
    ids.flatMap((id): [string, FormInput][] => [
      [quantityField(id), { as: "number", label: "Quantity" }],
      [priceField(id), { as: "money", label: "Your price" }],
    ]),
  );

const payable = [...manualMethods, ...paymentMethods.filter((method) => paymentTerms[method].provider !== null)];

/** The fixed inputs of the form. */
export const orderInputs = {
  user_id: {
    as: "picker",
    label: "Account",
    hint: "Name or e-mail address. Their saved or last address is filled in. Leave empty for a guest.",
    kinds: ["user"],
    read: ([id]) => (id ? Number(id) : undefined),
  },
  "customer.email": { as: "email", label: "Guest's e-mail", read: optional },
  "customer.name": { as: "text", label: "Guest's name", maxlength: 100, read: optional },
  items: { as: "picker", label: "Items", kinds: ["product"], many: true },
  add: {
    as: "picker",
    label: "Add products",
    hint: "Names or SKUs, separated by commas.",
    kinds: ["product"],
    many: true,
    sellable: true,
  },
  discount_codes: { as: "text", label: "Discount codes", hint: "Separated by commas.", maxlength: 400 },
  "discount.percent": { as: "percent", label: "Discount in percent", read: percent },
  "discount.amount": { as: "money", label: "Or an amount", read: money("discount.amount") },
  "discount.reason": { as: "text", label: "Reason", hint: "The customer sees it.", maxlength: 100, read: optional },
  "custom_shipping.name": { as: "text", label: "Or name your own", maxlength: 100, read: optional },
  "custom_shipping.price": { as: "money", label: "Its price", read: money("custom_shipping.price") },
  ...addressInputs("shipping_address", { isOptional: true }),
  tax_exempt_reason: {
    as: "text",
    label: "Reason for tax exemption",
    hint: "Such as a VAT number. Leave empty to charge tax.",
    maxlength: 200,
    read: optional,
  },
  payment_method: {
    as: "choice",
    label: "Payment method",
    hint: "Choose a card or PayPal if you have been paid that way, or save a draft that the customer pays online.",
    options: payable.map((method) => [method, capitalized(paymentTerms[method].label)] as const),
  },
  paid: {
    as: "choice",
    label: "Payment",
    options: [
      ["", "Not received yet"],
      ["true", "Received"],
    ],
    read: flagKind,
  },
  pay_within_days: {
    as: "number",
    label: "Days to pay",
    hint: "Leave empty for an order that does not expire.",
    read: number,
  },
  note: {
    as: "text",
    label: "Note",
    hint: "Such as a payment reference. The customer can read it.",
    maxlength: 500,
    read: optional,
  },
} satisfies FormInputs;

const optionalChoice = (label: string, none: string, options: Options): FormInput => ({
  as: "choice",
  label,
  options: orNone(none, options),
  read: number,
});

/** The form's inputs for the products in it. */
export const inputsFor = (ids: readonly string[], { addresses, methods }: OrderChoices) => ({
  ...orderInputs,
  ...rowInputs(ids),
  shipping_address_id: optionalChoice("Ship to", "The address below", addresses),
  shipping_method: optionalChoice("Shipping method", "The cheapest", methods),
});

export type OrderField = keyof typeof orderInputs | RowField | "shipping_address_id" | "shipping_method";

/** Fields about the payment of an order that is placed, which drafts do not have. */
export const TERMS = ["paid", "pay_within_days"] as const;

export const NO_CHOICES: OrderChoices = { addresses: [], methods: [] };

/** Ids of the products in the form, in their order. */
export const productsIn = ({ items = [], add = [] }: Values): string[] => [
  ...new Set([...items, ...add].filter((id) => /^\d{1,15}$/.test(id))),
];

/** True if a row has a quantity. A row that was just added has none, which means 1. A quantity of 0 removes the row. */
export const isOrdered = (values: Values, id: string): boolean =>
  !/^\s*0*$/.test(values[quantityField(id)]?.[0] ?? "1");

/** Ids of the products in the form that have a quantity. */
export const orderedIn = (values: Values): string[] => productsIn(values).filter((id) => isOrdered(values, id));

/** The form with the row taken out whose button was pressed. */
export function withoutRemoved({ action, values }: SentForm): SentForm {
  const { remove: [row] = [], ...others } = values;
  return sentForm(action, row === undefined ? values : { ...others, [quantityField(row)]: ["0"] });
}

/** Fills in the guest's name as the recipient of an address without one, so that it is typed once. */
export function withRecipient({ action, values }: SentForm): SentForm {
  const { "shipping_address.address": [street] = [], "shipping_address.name": [name] = [] } = values;
  const guest = values["customer.name"];
  return sentForm(
    action,
    street?.trim() && !name?.trim() && guest ? { ...values, "shipping_address.name": guest } : values,
  );
}

/** The form without the address of an earlier order, if that order was not of the customer who is now chosen. */
export function withoutOthersAddress({ action, values }: SentForm): SentForm {
  const { [ADDRESS_OF]: [customer] = [], ...others } = values;
  if (customer === undefined || customer === values.user_id?.[0]) return sentForm(action, values);
  const { "shipping_address.country": country = [], ...empty } = valuesFrom(addressValues("shipping_address", null));
  return sentForm(action, {
    ...others,
    ...empty,
    "shipping_address.country": values["shipping_address.country"] ?? country,
  });
}

/** The values after the form was calculated: added products are rows, and removed ones are gone. */
export function calculated(values: Values): Values {
  const items = orderedIn(values);
  const quantities = items.map((id) => [quantityField(id), values[quantityField(id)] ?? ["1"]] as const);
  return { ...values, ...Object.fromEntries(quantities), items, add: [] };
}

export const codesIn: FieldKind = ([typed = ""]) => typed.split(/[,;\s]+/).filter(Boolean);

/** Converters of the form into an order of the API. */
export function orderKinds(values: Values): Record<string, FieldKind> {
  const { items: _, add: __, ...kinds } = kindsOf(inputsFor([], NO_CHOICES));
  const hasAddress = !values.shipping_address_id?.[0] && Boolean(values["shipping_address.address"]?.[0]?.trim());
  return {
    ...Object.fromEntries(
      Object.entries(kinds).filter(([name]) => hasAddress || !name.startsWith("shipping_address.")),
    ),
    items: () =>
      orderedIn(values).map((id) => ({
        product_id: Number(id),
        quantity: number(values[quantityField(id)] ?? ["1"]),
        unit_price: money(priceField(id))(values[priceField(id)] ?? []),
      })),
    discount_codes: codesIn,
  };
}

/**
 * Keeps what a draft has and its form does not show: metadata of items, and the billing address while the account is the same.
 */
export function withUnshown(content: DraftContent, before: DraftContent): DraftContent {
  const { billing_address, billing_address_id } = before;
  const metadata = new Map(before.items.map((item) => [item.product_id, item.metadata]));
  return {
    ...content,
    ...(content.user_id === before.user_id && { billing_address, billing_address_id }),
    items: content.items.map((item) => ({ ...item, metadata: metadata.get(item.product_id) })),
  };
}

/** Values of the form for the content of a draft, by API field. */
export function draftValues(content: Record<string, unknown>): Record<string, Initial> {
  const { items, discount_codes: codes = [], ...others } = contentValues.parse(content);
  const rows = items.flatMap(({ product_id: id, quantity, unit_price: price = null }) => [
    [quantityField(String(id)), quantity],
    [priceField(String(id)), price],
  ]);
  return {
    ...flat(others),
    ...Object.fromEntries(rows),
    items: items.map(({ product_id: id }) => id),
    discount_codes: codes.join(", "),
  };
}

const contentValues = z.looseObject({
  items: z.array(z.object({ product_id: z.int(), quantity: z.int(), unit_price: z.number().optional() })),
  discount_codes: z.array(z.string()).optional(),
});

/** Nested fields by path, as the form names them. */
const flat = (fields: Record<string, unknown>, prefix = ""): Record<string, Initial> =>
  Object.assign(
    {},
    ...Object.entries(fields).map(([name, value]) =>
      typeof value === "object" && value !== null
        ? flat({ ...value }, `${prefix}${name}.`)
        : { [prefix + name]: value as Initial },
    ),
  );

/** Fields that show errors about values composed of several fields. */
const shownAt: Record<string, string> = { customer: "customer.email", shipping_address: "shipping_address.address" };

/** Maps errors of the order's lines to the fields of their rows. */
export const rowErrors = (values: Values, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, words]) => {
      const [list, index, part] = path.split(".");
      const id = list === "items" ? orderedIn(values)[Number(index)] : undefined;
      if (id === undefined) return [shownAt[path] ?? path, words];
      return [part === "unit_price" ? priceField(id) : quantityField(id), words];
    }),
  );

/** Choices of the form that depend on the buyer and the items. */
export type OrderChoices = { addresses: Options; methods: Options };

/** Maximum number of an account's addresses to choose from. */
const MOST = 20;

/** Addresses of the account in the form, the default one first. */
export async function readAddresses(db: Database, scope: AccountScope, values: Values) {
  const userId = Number(values.user_id?.[0] ?? 0);
  const rows = userId
    ? await db
        .select()
        .from(addresses)
        .where(and(eq(addresses.userId, userId), inScope(scope, addresses.userId)))
        .orderBy(desc(addresses.isDefault), addresses.id)
        .limit(MOST)
    : [];
  return rows.map((row) => [String(row.id), addressLines(row).join(", ")] as const);
}

/** Values of the form for the address of the account's last order, and whose they are. */
export async function readLastAddress(db: Database, scope: AccountScope, values: Values): Promise<Values> {
  const [userId = ""] = values.user_id ?? [];
  const where = and(
    eq(orders.userId, Number(userId)),
    isNotNull(orders.shippingAddress),
    inScope(scope, orders.userId),
  );
  const last = await db.select().from(orders).where(where).orderBy(desc(orders.id)).limit(1).get();
  return last ? { ...valuesFrom(addressValues("shipping_address", last.shippingAddress)), [ADDRESS_OF]: [userId] } : {};
}

/** Shipping methods of a quote. */
export const methodsOf = (quote: Quote | undefined): Options =>
  (quote?.shipping_options ?? []).map(({ id, name }) => [String(id), name] as const);
