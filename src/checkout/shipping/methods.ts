import { asc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import { Id, IdText, line } from "../../domain/fields.ts";
import { Money, Price, toDecimal, toDecimalOrNull } from "../../domain/money.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { declareResource } from "../../platform/administration/resource.ts";
import type { Database } from "../../platform/db/client.ts";
import { shippingMethodKinds, shippingMethods, type WeightBracket } from "../../platform/db/schema.ts";

export type MethodRow = typeof shippingMethods.$inferSelect;
type MethodState = Omit<typeof shippingMethods.$inferSelect, "id" | "createdAt" | "updatedAt">;

const MOST_BRACKETS = 50;
const MOST_GRAMS = 100_000_000;
const MOST_DAYS = 365;

const Bracket = z
  .strictObject({ up_to_grams: z.int().min(1).max(MOST_GRAMS), price: Price })
  .transform(({ up_to_grams, price }): WeightBracket => ({ upToGrams: up_to_grams, price }));

/** Converts brackets to their API form. */
const toBrackets = (brackets: WeightBracket[]) =>
  brackets.map(({ upToGrams, price }) => ({ up_to_grams: upToGrams, price: toDecimal(price) }));

const Days = z.int().min(0).max(MOST_DAYS).nullable();

export const methodLabels = {
  flat_rate: "Flat rate",
  weight: "By weight",
  pickup: "Picked up",
} satisfies Record<MethodRow["kind"], string>;

/** Shipping method fields that administrators can edit. */
export const methodFields = declareFields<MethodState>()({
  zone_id: { schema: Id },
  name: { schema: line(100), input: { hint: "Shown to customers, such as Parcel." } },
  kind: { schema: z.enum(shippingMethodKinds), input: { as: "choice", options: Object.entries(methodLabels) } },
  price: {
    schema: Price.describe("Price of a flat rate or pickup. Required for a flat rate"),
    derived: true,
    audited: toDecimal,
    answer: Money,
    input: { as: "money" },
  },
  brackets: {
    schema: z
      .array(Bracket)
      .max(MOST_BRACKETS)
      .describe("Prices by weight in ascending order. Heavier parcels cannot use this method"),
    initial: [],
    audited: toBrackets,
    answer: z.array(z.object({ up_to_grams: z.int(), price: Money })),
    input: {
      as: "brackets",
      label: "Prices by weight",
      hint: "One per line, lightest first: up to how many grams = price, such as 2000 = 4.90. Heavier parcels cannot use this method.",
    },
  },
  free_from: {
    schema: Price.nullable().describe("Goods total after discounts from which shipping is free"),
    audited: toDecimalOrNull,
    answer: Money.nullable(),
    input: { as: "money", hint: "Shipping is free from this subtotal after discounts." },
  },
  min_days: { schema: Days.describe("Shortest delivery time, in days"), input: { label: "Minimum days" } },
  max_days: { schema: Days, input: { label: "Maximum days" } },
  enabled: { schema: z.boolean(), initial: true, input: { label: "Available to customers" } },
});

const resource = declareResource({
  table: shippingMethods,
  path: "/shipping-methods",
  permission: "settings",
  names: { one: "shipping method", many: "shipping methods" },
  subject: "shipping_method",
  fields: methodFields,
  filters: { zone_id: { schema: IdText.optional(), where: (id) => eq(shippingMethods.zoneId, id) } },
  order: [asc(shippingMethods.zoneId), asc(shippingMethods.id)],
  settle: (row, sent, before) => {
    requireConsistent(row, sent, before);
    const { price, brackets } = withPriceOfKind(row);
    return { price, brackets };
  },
  refusals: () => ({
    "FOREIGN KEY": () => badRequest(fieldError("zone_id", "unknown_reference", "names a zone that does not exist")),
  }),
});

const create: typeof resource.create = (ctx, sent) => resource.insert(ctx, { sent, derived: { price: 0 } });

export const shippingMethodResource = { ...resource, create };

export const readMethodsOf = (db: Database, zoneIds: number[]): Promise<MethodRow[]> =>
  db
    .select()
    .from(shippingMethods)
    .where(sql`${shippingMethods.zoneId} IN (SELECT value FROM json_each(${JSON.stringify(zoneIds)}))`)
    .orderBy(asc(shippingMethods.id))
    .all();

/** The price fields sent for a method. */
type SentPrice = { [Name in "price" | "brackets"]?: MethodState[Name] | undefined };

/** Removes the price that a method's kind does not use. */
const withPriceOfKind = <Method extends MethodState>(method: Method): Method =>
  method.kind === "weight" ? { ...method, price: 0 } : { ...method, brackets: [] };

/**
 * Throws for fields that do not go together, a price sent for another kind of method, and a missing flat rate. `before` is
 * the method before the change, if it existed.
 */
function requireConsistent(method: MethodState, sent: SentPrice, before?: MethodState): void {
  const errors = [...brokenPrice(method, sent, before), ...brokenBrackets(method, sent), ...brokenDays(method)];
  if (errors.length > 0) throw badRequest(errors);
}

function brokenPrice({ kind }: MethodState, sent: SentPrice, before: MethodState | undefined): FieldError[] {
  if (kind === "weight" && sent.price)
    return [fieldError("price", "not_applicable", "is set by the brackets if the price depends on weight")];
  const isNew = before?.kind !== kind;
  return kind === "flat_rate" && isNew && sent.price === undefined
    ? [fieldError("price", "required", "is required for a flat rate")]
    : [];
}

function brokenBrackets({ kind, brackets }: MethodState, sent: SentPrice): FieldError[] {
  if (kind !== "weight") {
    return sent.brackets?.length ? [fieldError("brackets", "not_applicable", "only apply to weight-based rates")] : [];
  }
  if (brackets.length === 0) return [fieldError("brackets", "required", "are required for weight-based rates")];
  return brackets.flatMap(({ upToGrams }, index) =>
    upToGrams > (brackets[index - 1]?.upToGrams ?? 0)
      ? []
      : [fieldError(`brackets.${index}.up_to_grams`, "invalid", "must be more than in the previous bracket")],
  );
}

const brokenDays = ({ minDays, maxDays }: MethodState): FieldError[] =>
  minDays !== null && maxDays !== null && minDays > maxDays
    ? [fieldError("max_days", "invalid", "must not be less than the minimum number of days")]
    : [];
