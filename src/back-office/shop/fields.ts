import * as z from "zod";
import { Address } from "../../domain/address.ts";
import { Country } from "../../domain/countries.ts";
import { line } from "../../domain/fields.ts";
import { Region } from "../../domain/place.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import type { shop } from "../../platform/db/schema.ts";

export type ShopRow = typeof shop.$inferSelect;
export type ShopState = Omit<ShopRow, "id" | "createdAt" | "updatedAt">;

/** What administrators say of the shop. */
export const shopFields = declareFields<ShopState>()({
  name: { column: "name", schema: line(100), derived: true },
  address: { column: "address", schema: Address.nullable(), initial: null },
  home_country: {
    column: "homeCountry",
    schema: Country.nullable().describe("Country of orders whose address has no country (ISO 3166-1)"),
    initial: null,
  },
  home_region: { column: "homeRegion", schema: Region.nullable(), initial: null },
  prices_include_tax: {
    column: "pricesIncludeTax",
    schema: z.boolean().describe("True if prices of products and shipping include tax"),
    initial: false,
  },
});
