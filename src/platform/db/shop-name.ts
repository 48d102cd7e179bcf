import { sql } from "drizzle-orm";
import type { EmailSettings } from "../settings/email.ts";
import type { Database } from "./client.ts";
import { shop } from "./schema.ts";

/** What administrators call the shop, for a statement that reads something else; null until they say something of it. */
export const savedShopName = sql<string | null>`(SELECT name FROM shop)`;

/** What the shop is called: by its administrators, else by the deployment's settings. */
export async function readShopName(db: Database, { shopName }: Pick<EmailSettings, "shopName">): Promise<string> {
  const saved = await db.select({ name: shop.name }).from(shop).get();
  return saved?.name ?? shopName;
}
