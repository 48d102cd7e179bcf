import type { Schema } from "@storefront-worker/api/client";
import * as z from "zod";
import { readSignedCookie, writeSignedCookie } from "../cookies.ts";
import type { ShopContext } from "../env.ts";

const KEPT_SECONDS = 30 * 24 * 60 * 60;
const MAX_KEPT = 10;

const GuestOrders = z.array(z.object({ id: z.int(), reference: z.string() }));
type GuestOrders = z.output<typeof GuestOrders>;

/**
 * The orders that this browser placed as a guest, newest first. This shop's key may read every guest's orders, so this
 * signed cookie decides which of them a browser may see.
 */
export async function guestOrders(c: ShopContext): Promise<GuestOrders> {
  const value = await readSignedCookie(c, "shop-orders");
  return value === undefined ? [] : GuestOrders.parse(JSON.parse(value));
}

export async function rememberGuestOrder(c: ShopContext, { id, reference }: Schema["Order"]): Promise<void> {
  const others = (await guestOrders(c)).filter((order) => order.id !== id);
  const orders = [{ id, reference }, ...others].slice(0, MAX_KEPT);
  await writeSignedCookie(c, "shop-orders", JSON.stringify(orders), KEPT_SECONDS);
}
