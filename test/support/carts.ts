import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "./call.ts";
import { db } from "./shop.ts";

/** Owner of the cart: a credential, and the cart's token for a guest. */
export type Shopper = { as: string; headers?: Record<string, string> };

export const add = (shopper: Shopper, product: { id: number }, quantity?: number) =>
  call("POST /cart", { ...shopper, body: { product_id: product.id, ...(quantity !== undefined && { quantity }) } });

/** A guest whose cart contains one unit of `product`. */
export async function aGuest(as: string, product: { id: number }) {
  const { status, body } = await add({ as }, product);
  if (status !== 201) throw new Error(`no guest cart: ${status} ${JSON.stringify(body)}`);
  const { id, token, items } = body.data;
  return {
    as,
    cartId: id as number,
    token: token as string,
    item: items[0].id as number,
    headers: { "X-Cart-Token": token },
  };
}

export const cartOf = (userId: number) => db.select().from(tables.carts).where(eq(tables.carts.userId, userId)).get();

export const cartNamed = (token: string) => {
  const tokenHash = createHash("sha256").update(token).digest("hex");
  return db.select().from(tables.carts).where(eq(tables.carts.tokenHash, tokenHash)).get();
};

export const changeProduct = (id: number, columns: Partial<typeof tables.products.$inferInsert>) =>
  db.update(tables.products).set(columns).where(eq(tables.products.id, id));
