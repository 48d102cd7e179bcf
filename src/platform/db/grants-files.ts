import { sql } from "drizzle-orm";

/** Whether a unit of a product grants a download package: its files are for accounts. Reads `products`. */
export const grantsFiles = sql`EXISTS (SELECT 1 FROM product_files WHERE product_id = products.id)`.mapWith(Boolean);
