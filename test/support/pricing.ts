import { env } from "cloudflare:workers";
import { eq, type SQL } from "drizzle-orm";
import { connect } from "../../src/platform/db/client.ts";
import { discounts, shippingMethods, shippingZones, shop, taxRates } from "../../src/platform/db/schema.ts";

// Prices, taxes and discounts, written to the database as the administration does.

const db = connect(env.DB);
const NOW = Date.now();
const dated = { createdAt: NOW, updatedAt: NOW };

let made = 0;

type Of<Table extends { $inferInsert: object }> = Partial<Table["$inferInsert"]>;

/** The statement that sets the shop's country, and whether prices include tax. */
export function shopUpsert(settings: Of<typeof shop>) {
  const row = { id: 1, name: "Shop", pricesIncludeTax: false, ...settings, ...dated };
  return db.insert(shop).values(row).onConflictDoUpdate({ target: shop.id, set: row });
}

export const settleShop = async (settings: Of<typeof shop>) => {
  await shopUpsert(settings);
};

/** The statement that inserts a shipping zone, by default without any places. */
export const zoneInsert = (zone: Of<typeof shippingZones> = {}) =>
  db
    .insert(shippingZones)
    .values({ name: `Zone ${++made}`, places: [], restOfWorld: false, ...dated, ...zone })
    .returning();

export const aZone = (zone: Of<typeof shippingZones> = {}) => zoneInsert(zone).get();

/** The statement that inserts a shipping method, by default with a flat rate. */
export const methodInsert = (zoneId: number | SQL, method: Of<typeof shippingMethods> = {}) =>
  db
    .insert(shippingMethods)
    .values({ name: `Post ${++made}`, kind: "flat_rate", price: 500, ...dated, ...method, zoneId })
    .returning();

/** A shipping method for the rest of the world, by default with a flat rate. */
export const aShippingMethod = async (method: Of<typeof shippingMethods> = {}) =>
  methodInsert(method.zoneId ?? (await restOfWorld()).id, method).get();

async function restOfWorld() {
  const [zone] = await db.select().from(shippingZones).where(eq(shippingZones.restOfWorld, true));
  return zone ?? aZone({ name: "Rest of the world", restOfWorld: true });
}

/** The statement that inserts a tax rate, by default 19 % in Germany. */
export const rateInsert = (rate: Of<typeof taxRates> = {}) =>
  db
    .insert(taxRates)
    .values({
      name: `Tax ${++made}`,
      country: "DE",
      taxClass: "standard",
      rate: 190_000,
      taxesShipping: true,
      ...dated,
      ...rate,
    })
    .returning();

export const aRate = (rate: Of<typeof taxRates> = {}) => rateInsert(rate).get();

/** The statement that inserts a discount with a unique code, by default 10 % off everything. */
export function discountInsert({ kind = "percentage", ...discount }: Of<typeof discounts> = {}) {
  const code = discount.code === undefined ? `CODE${++made}` : discount.code;
  const percent = kind === "percentage" ? 100_000 : null;
  return db
    .insert(discounts)
    .values({ name: `Discount ${made}`, kind, percent, ...dated, ...discount, code })
    .returning();
}

export const aDiscount = (discount: Of<typeof discounts> = {}) => discountInsert(discount).get();

/** The statements that remove all taxes, shipping costs and discounts from a shop. */
export const ruleDeletes = () =>
  [db.delete(shippingMethods), db.delete(shippingZones), db.delete(taxRates), db.delete(shop)] as const;

/** Removes all taxes, shipping costs and discounts from the shop. */
export const noRules = () => db.batch(ruleDeletes());
