import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { createdAt, flag, foreignId, id, updatedAt } from "../../platform/db/columns.ts";

/** A country or one of its regions. */
export type ShippingPlace = { country: string; region: string | null };

/** Places with the same shipping methods. A place is in one zone, and a region's zone takes precedence over its country's. */
export const shippingZones = sqliteTable(
  "shipping_zones",
  {
    id: id(),
    name: text().notNull(),
    places: text({ mode: "json" }).$type<ShippingPlace[]>().notNull(),
    /** True if the zone includes every place that is in no other zone. */
    restOfWorld: flag("rest_of_world").notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [uniqueIndex("shipping_zones_one_rest").on(sql`rest_of_world`).where(sql.raw("rest_of_world = 1"))],
);

/** The zone of each place, written by triggers. `region` is empty for a whole country. */
export const shippingZonePlaces = sqliteTable(
  "shipping_zone_places",
  {
    country: text().notNull(),
    region: text().notNull(),
    zoneId: foreignId("zone_id", () => shippingZones.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.country, table.region] }),
    index("shipping_zone_places_by_zone").on(table.zoneId),
  ],
);

export const shippingMethodKinds = ["flat_rate", "weight", "pickup"] as const;

/** Price up to a weight. */
export type WeightBracket = { upToGrams: number; price: number };

/** A way to ship orders to a zone, with its price in minor units. */
export const shippingMethods = sqliteTable(
  "shipping_methods",
  {
    id: id(),
    zoneId: foreignId("zone_id", () => shippingZones.id),
    name: text().notNull(),
    kind: text({ enum: shippingMethodKinds }).notNull(),
    /** Price of a flat rate. */
    price: integer().notNull().default(0),
    /** Prices by weight, ascending. Heavier parcels cannot use the method. */
    brackets: text({ mode: "json" }).$type<WeightBracket[]>().notNull().default([]),
    /** Subtotal from which shipping is free. */
    freeFrom: integer("free_from"),
    /** Delivery time in days. */
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
