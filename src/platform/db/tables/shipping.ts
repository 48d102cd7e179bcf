import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, id, updatedAt } from "./columns.ts";

/** A country, or one region of it. */
export type Place = { country: string; region: string | null };

/** Where the same shipping methods are offered. A place is in one zone, and a region's own zone goes before its country's. */
export const shippingZones = sqliteTable(
  "shipping_zones",
  {
    id: id(),
    name: text().notNull(),
    places: text({ mode: "json" }).$type<Place[]>().notNull(),
    /** Whether every place is in it that no other zone names. */
    restOfWorld: flag("rest_of_world").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [uniqueIndex("shipping_zones_one_rest").on(sql`rest_of_world`).where(sql.raw("rest_of_world = 1"))],
);

/** The zone of each place, written by triggers. `region` is empty for a country as a whole. */
export const shippingZonePlaces = sqliteTable(
  "shipping_zone_places",
  {
    country: text().notNull(),
    region: text().notNull(),
    zoneId: integer("zone_id")
      .notNull()
      .references(() => shippingZones.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.country, table.region] }),
    index("shipping_zone_places_by_zone").on(table.zoneId),
  ],
);

export const shippingMethodKinds = ["flat_rate", "weight", "pickup"] as const;

/** The price of what weighs at most so much. */
export type WeightBracket = { upToGrams: number; price: number };

/** One way of sending an order to a zone, and what it costs in minor units. */
export const shippingMethods = sqliteTable(
  "shipping_methods",
  {
    id: id(),
    zoneId: integer("zone_id")
      .notNull()
      .references(() => shippingZones.id),
    name: text().notNull(),
    kind: text({ enum: shippingMethodKinds }).notNull(),
    /** Of a flat rate. */
    price: integer().notNull().default(0),
    /** Of a price by weight: ascending. What is heavier than the last is not sent this way. */
    brackets: text({ mode: "json" }).$type<WeightBracket[]>().notNull().default([]),
    /** The subtotal from which it costs nothing. */
    freeFrom: integer("free_from"),
    /** How many days it takes. */
    minDays: integer("min_days"),
    maxDays: integer("max_days"),
    enabled: flag("enabled").notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check("shipping_price_not_negative", sql.raw(`"price" >= 0`)),
    index("shipping_methods_by_zone").on(table.zoneId),
  ],
);
