import * as z from "zod";
import { IdText, iso, Timestamp } from "../../../domain/fields.ts";
import { Money, toDecimal, toDecimalOrNull } from "../../../domain/money.ts";
import { changesSomething } from "../../../domain/rules.ts";
import { type Answered, changeShape, newShape } from "../../../platform/administration/fields.ts";
import { shippingMethodKinds } from "../../../platform/db/schema.ts";
import { pageFields } from "../../../platform/http/pagination.ts";
import { type MethodRow, methodFields, toBrackets } from "./fields.ts";

export const MethodsQuery = z.strictObject({ ...pageFields, zone_id: IdText.optional() });
export type MethodsQuery = z.output<typeof MethodsQuery>;

export const NewMethod = z.strictObject(newShape(methodFields)).meta({ id: "NewShippingMethod" });
export type NewMethod = z.output<typeof NewMethod>;

export const MethodChange = z
  .strictObject(changeShape(methodFields))
  .partial()
  .refine(...changesSomething)
  .meta({ id: "ShippingMethodChange", description: "Fields to change. Fields that are not sent keep their values" });
export type MethodChange = z.output<typeof MethodChange>;

export const Method = z
  .object({
    id: z.int(),
    zone_id: z.int(),
    name: z.string(),
    kind: z.enum(shippingMethodKinds),
    price: Money,
    brackets: z.array(z.object({ up_to_grams: z.int(), price: Money })),
    free_from: Money.nullable(),
    min_days: z.int().nullable(),
    max_days: z.int().nullable(),
    enabled: z.boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  } satisfies Answered<typeof methodFields>)
  .meta({ id: "ShippingMethod" });

export const toMethod = (row: MethodRow): z.output<typeof Method> => ({
  id: row.id,
  zone_id: row.zoneId,
  name: row.name,
  kind: row.kind,
  price: toDecimal(row.price),
  brackets: toBrackets(row.brackets),
  free_from: toDecimalOrNull(row.freeFrom),
  min_days: row.minDays,
  max_days: row.maxDays,
  enabled: row.enabled,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
