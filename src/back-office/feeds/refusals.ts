import { and, isNotNull, type SQL, sql } from "drizzle-orm";
import { isItemForSale } from "../../catalogue/products/public.ts";
import type { Database } from "../../platform/db/client.ts";
import { products } from "../../platform/db/schema.ts";

const picture = sql`lower(${products.images} ->> '$[0].url')`;

/** Pixels of a picture's shorter side that Google asks for, now and from a day on. */
const [LEAST_NOW, LEAST_SOON, SOON] = [100, 500, Date.UTC(2027, 0, 31) / 1000];

/** The shorter side of an uploaded picture. Sizes of pictures elsewhere are unknown. */
const shorterSide = sql`(SELECT min(width, height) FROM images WHERE sha256 = substr(${picture}, 9, 64))`;

/** A barcode with 13 digits. The first of 14 is no part of its prefix. */
const barcode = sql`substr('00000' || ${products.barcode}, -13)`;

/** Prefixes of barcodes for internal use and for coupons, as GLOB patterns. */
const RESERVED = ["0[245]*", "2*", "98[1-4]*", "99*"];

/**
 * Why Google and OpenAI refuse an item. Null if they accept it. The rules are those of Google:
 * https://support.google.com/merchants/answer/6324371 (price), https://support.google.com/merchants/answer/6324350
 * (pictures), https://support.google.com/merchants/answer/7000684 and 6286302 (barcodes).
 */
const refusedBecause = sql<string | null>`CASE
  WHEN ${products.price} = 0 THEN 'The price is 0'
  WHEN ${picture} IS NULL THEN 'There is no picture'
  WHEN ${picture} GLOB '*.svg*' OR ${picture} GLOB '*.avif*' THEN 'The first picture is an SVG or AVIF: use WebP, PNG or JPEG'
  WHEN ${picture} GLOB '/images/*' AND ${shorterSide} < iif(unixepoch() < ${SOON}, ${LEAST_NOW}, ${LEAST_SOON})
    THEN 'The first picture is too small: use one of at least ${sql.raw(String(LEAST_SOON))} by ${sql.raw(String(LEAST_SOON))} pixels'
  WHEN ${sql.join(
    RESERVED.map((glob) => sql`${barcode} GLOB ${glob}`),
    sql` OR `,
  )} THEN 'The barcode is one for internal use or for coupons'
  END`;

export const isAccepted: SQL = sql`${refusedBecause} IS NULL`;

/** Number of refused items that the panel lists. */
const MOST = 100;

/** Items for sale that feeds leave out, with the reason of each. */
export const listRefusedItems = (db: Database) =>
  db
    .select({ id: products.id, name: products.name, sku: products.sku, reason: refusedBecause })
    .from(products)
    .where(and(isItemForSale, isNotNull(refusedBecause)))
    .limit(MOST);
