import * as z from "zod";
import { ShownAddress, toShownAddress } from "../../domain/address.ts";
import { iso, Timestamp } from "../../domain/fields.ts";
import { changesSomething } from "../../domain/rules.ts";
import { type Answered, changeShape } from "../../platform/administration/fields.ts";
import { type ShopRow, shopFields } from "./fields.ts";

export const ShopChange = z
  .strictObject(changeShape(shopFields))
  .partial()
  .refine(...changesSomething)
  .meta({ id: "ShopChange", description: "Fields to change. Fields that are not sent keep their values" });
export type ShopChange = z.output<typeof ShopChange>;

export const Shop = z
  .object({
    name: z.string(),
    address: ShownAddress.nullable(),
    home_country: z.string().nullable(),
    home_region: z.string().nullable(),
    prices_include_tax: z.boolean(),
    updated_at: Timestamp.nullable().describe("Time of the last change. Null if the settings were never saved"),
  } satisfies Answered<typeof shopFields>)
  .meta({ id: "Shop" });

export const toShop = (row: ShopRow): z.output<typeof Shop> => ({
  name: row.name,
  address: row.address && toShownAddress(row.address),
  home_country: row.homeCountry,
  home_region: row.homeRegion,
  prices_include_tax: row.pricesIncludeTax,
  updated_at: row.updatedAt === 0 ? null : iso(row.updatedAt),
});
