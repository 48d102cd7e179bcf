import * as z from "zod";
import { Id, line } from "../../../domain/fields.ts";
import { Price, toDecimal, toDecimalOrNull } from "../../../domain/money.ts";
import { declareFields } from "../../../platform/administration/fields.ts";
import { shippingMethodKinds, type shippingMethods, type WeightBracket } from "../../../platform/db/schema.ts";

export type MethodRow = typeof shippingMethods.$inferSelect;
export type MethodState = Omit<MethodRow, "id" | "createdAt" | "updatedAt">;

const MOST_BRACKETS = 50;
const MOST_GRAMS = 100_000_000;
const MOST_DAYS = 365;

const Bracket = z
  .strictObject({ up_to_grams: z.int().min(1).max(MOST_GRAMS), price: Price })
  .transform(({ up_to_grams, price }): WeightBracket => ({ upToGrams: up_to_grams, price }));

/** Brackets on the wire. */
export const toBrackets = (brackets: WeightBracket[]) =>
  brackets.map(({ upToGrams, price }) => ({ up_to_grams: upToGrams, price: toDecimal(price) }));

const Days = z.int().min(0).max(MOST_DAYS).nullable();

/** The fields of a shipping method that administrators edit. */
export const methodFields = declareFields<MethodState>()({
  zone_id: { column: "zoneId", schema: Id },
  name: { column: "name", schema: line(100) },
  kind: { column: "kind", schema: z.enum(shippingMethodKinds) },
  price: {
    column: "price",
    schema: Price.describe("Price of a flat rate or pickup. Required for a flat rate"),
    derived: true,
    audited: toDecimal,
  },
  brackets: {
    column: "brackets",
    schema: z
      .array(Bracket)
      .max(MOST_BRACKETS)
      .describe("Prices by weight in ascending order. Heavier parcels cannot use this method"),
    initial: [],
    audited: toBrackets,
  },
  free_from: {
    column: "freeFrom",
    schema: Price.nullable().describe("Goods total after discounts from which shipping is free"),
    initial: null,
    audited: toDecimalOrNull,
  },
  min_days: { column: "minDays", schema: Days.describe("Shortest delivery time, in days"), initial: null },
  max_days: { column: "maxDays", schema: Days, initial: null },
  enabled: { column: "enabled", schema: z.boolean(), initial: true },
});
