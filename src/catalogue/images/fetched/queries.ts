import { sql } from "drizzle-orm";
import type { Database } from "../../../platform/db/client.ts";
import type { ImageType } from "../../../platform/db/schema.ts";
import { imagePath, objectKey } from "../address.ts";
import type { ImageRow } from "../schemas.ts";

/** How long an address is taken to have the image that it had. */
const FRESH_MS = 7 * 24 * 60 * 60_000;

/** An image that is deleted sooner, since no product shows it, is fetched again. */
const STAYS_MS = 60 * 60_000;

/** The paths of images that were fetched by some of these addresses not long ago, by the addresses. */
export async function findFetched(db: Database, urls: string[], now: number): Promise<Map<string, string>> {
  if (urls.length === 0) return new Map();
  const found = await db.all<{ url: string; sha256: string; mimeType: ImageType }>(sql`
    SELECT url, sha256, mime_type AS mimeType FROM fetched_images JOIN images ON images.id = image_id
    WHERE url IN (SELECT value FROM json_each(${JSON.stringify(urls)})) AND fetched_at > ${now - FRESH_MS} AND (
      EXISTS (SELECT 1 FROM product_images WHERE image_id = images.id)
      OR EXISTS (SELECT 1 FROM orphaned_objects WHERE r2_key = ${objectKey("")} || sha256 AND delete_at > ${now + STAYS_MS}))`);
  return new Map(found.map(({ url, ...image }) => [url, imagePath(image)]));
}

export const rememberFetched = (db: Database, url: string, { id }: ImageRow, now: number): Promise<unknown> =>
  db.run(sql`INSERT INTO fetched_images (url, image_id, fetched_at) VALUES (${url}, ${id}, ${now})
    ON CONFLICT (url) DO UPDATE SET image_id = excluded.image_id, fetched_at = excluded.fetched_at`);
