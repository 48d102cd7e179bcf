import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import {
  discountRedemptions,
  discounts,
  orders,
  paymentAccounts,
  paymentSettings,
  pricingRules,
  shippingMethods,
  shippingZones,
  shop,
  taxRates,
} from "../../platform/db/schema.ts";
import type { Buyer, Rules } from "./types.ts";

const { createdAt: _zoneMade, updatedAt: _zoneChanged, ...zone } = getTableColumns(shippingZones);
const {
  enabled: _enabled,
  createdAt: _methodMade,
  updatedAt: _methodChanged,
  ...method
} = getTableColumns(shippingMethods);
const { createdAt: _rateMade, updatedAt: _rateChanged, ...rate } = getTableColumns(taxRates);
const { createdAt: _discountMade, categoryIds: _categoryIds, ...discount } = getTableColumns(discounts);

/** The categories of a discount, with their descendants. */
const coveredCategories = json<number[]>(sql`iif(discounts.category_ids = '[]', '[]', (
  WITH RECURSIVE covered (id) AS (
    SELECT value FROM json_each(discounts.category_ids)
    UNION SELECT categories.id FROM covered CROSS JOIN categories INDEXED BY categories_by_parent ON parent_id = covered.id)
  SELECT json_group_array(id) FROM covered))`);

const rowsOf = <Row>(columns: Record<string, SQLiteColumn>, from: SQL, more: Record<string, SQL> = {}): SQL<Row[]> =>
  json<Row[]>(sql`(SELECT json_group_array(${jsonRow(columns, more)}) FROM ${from})`);

const rules = {
  payments: json<Rules["payments"]>(sql`coalesce((SELECT ${paymentSettings.methods} FROM ${paymentSettings}), '{}')`),
  accounts: json<Rules["accounts"]>(
    sql`(SELECT json_group_object(provider, json(iif(live, 'true', 'false'))) FROM ${paymentAccounts})`,
  ),
  zones: rowsOf<Rules["zones"][number]>(zone, sql`${shippingZones}`),
  methods: rowsOf<Rules["methods"][number]>(method, sql`${shippingMethods} WHERE ${shippingMethods.enabled}`),
  rates: rowsOf<Rules["rates"][number]>(rate, sql`${taxRates}`),
  discounts: rowsOf<Rules["discounts"][number]>(
    discount,
    sql`${discounts} WHERE ${discounts.code} IS NULL AND ${discounts.enabled}`,
    { categoryIds: coveredCategories },
  ),
};

/** Query, for a batch, for the merchant's pricing rules at one version. */
export const selectRules = (db: Database) =>
  db
    .select({
      version: pricingRules.version,
      homeCountry: shop.homeCountry,
      homeRegion: shop.homeRegion,
      pricesIncludeTax: sql`coalesce(${shop.pricesIncludeTax}, 0)`.mapWith(Boolean),
      vatId: shop.vatId,
      smallBusiness: sql`coalesce(${shop.smallBusiness}, 0)`.mapWith(Boolean),
      language: sql<Rules["language"]>`coalesce(${shop.language}, 'en')`,
      ...rules,
    })
    .from(pricingRules)
    .leftJoin(shop, sql`TRUE`);

/** Query, for a batch, for the discounts with these codes, which are upper case. */
export const selectDiscountsOf = (db: Database, codes: readonly string[]) =>
  db
    .select({ ...discount, categoryIds: coveredCategories })
    .from(discounts)
    .where(sql`${discounts.code} IN (SELECT value FROM json_each(${JSON.stringify(codes)}))`);

/** Query, for a batch, for how often a customer has used each discount that limits it. */
export const selectUses = (db: Database, { customer }: Buyer, codes: readonly string[]) =>
  db
    .select({ discountId: discountRedemptions.discountId, uses: sql<number>`count(*)`.as("uses") })
    .from(discountRedemptions)
    .where(
      sql`${discountRedemptions.discountId} IN (
          SELECT ${discounts.id} FROM ${discounts} WHERE ${discounts.maxUsesPerCustomer} IS NOT NULL
            AND (${discounts.code} IS NULL OR ${discounts.code} IN (SELECT value FROM json_each(${JSON.stringify(codes)})))
        ) AND ${discountRedemptions.customer} = ${customer} AND ${discountRedemptions.releasedAt} IS NULL`,
    )
    .groupBy(discountRedemptions.discountId);

/** Query, for a batch, that tells whether a buyer has ordered before, not counting an order that is edited. */
export function selectHasOrdered(db: Database, { userId, email }: Buyer, edited = 0) {
  const theirs =
    userId === null
      ? sql`${orders.userId} IS NULL AND ${orders.customerEmail} = ${email}`
      : sql`${orders.userId} = ${userId}`;
  const found = sql`EXISTS (SELECT 1 FROM ${orders} WHERE ${theirs} AND ${orders.id} <> ${edited} AND ${orders.status} NOT IN ('cancelled', 'expired'))`;
  return db.select({ hasOrdered: found.mapWith(Boolean).as("has_ordered") }).from(pricingRules);
}
