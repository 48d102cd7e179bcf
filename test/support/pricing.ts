import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { connect } from "../../src/platform/db/client.ts";
import { discounts, shippingMethods, shippingZones, shop, taxRates } from "../../src/platform/db/schema.ts";

// Prices, taxes and discounts, written as the administration writes them.

const db = connect(env.DB);
const NOW = Date.now();
const dated = { createdAt: NOW, updatedAt: NOW };

let made = 0;

type Of<Table extends { $inferInsert: object }> = Partial<Table["$inferInsert"]>;

/** Where the shop is, and whether its prices include tax. */
export async function settleShop(settings: Of<typeof shop>) {
  const row = { id: 1, name: "Shop", pricesIncludeTax: false, ...settings, ...dated };
  await db.insert(shop).values(row).onConflictDoUpdate({ target: shop.id, set: row });
}

export const aZone = (zone: Of<typeof shippingZones> = {}) =>
  db
    .insert(shippingZones)
    .values({ name: `Zone ${++made}`, places: [], restOfWorld: false, ...dated, ...zone })
    .returning()
    .get();

/** A flat rate to the rest of the world, if nothing else is said. */
export async function aShippingMethod(method: Of<typeof shippingMethods> = {}) {
  const zoneId = method.zoneId ?? (await restOfWorld()).id;
  return db
    .insert(shippingMethods)
    .values({ name: `Post ${++made}`, kind: "flat_rate", price: 500, ...dated, ...method, zoneId })
    .returning()
    .get();
}

async function restOfWorld() {
  const [zone] = await db.select().from(shippingZones).where(eq(shippingZones.restOfWorld, true));
  return zone ?? aZone({ name: "Rest of the world", restOfWorld: true });
}

export const aRate = (rate: Of<typeof taxRates> = {}) =>
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
    .returning()
    .get();

/** 10 % off everything with a code of its own, if nothing else is said. */
export async function aDiscount({ kind = "percentage", ...discount }: Of<typeof discounts> = {}) {
  const code = discount.code === undefined ? `CODE${++made}` : discount.code;
  const percent = kind === "percentage" ? 100_000 : null;
  return db
    .insert(discounts)
    .values({ name: `Discount ${made}`, kind, percent, ...dated, ...discount, code })
    .returning()
    .get();
}

/** A shop in which prices are all there is to pay. */
export const noRules = () =>
  env.DB.batch(
    ["shipping_methods", "shipping_zones", "tax_rates", "shop"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
  );
