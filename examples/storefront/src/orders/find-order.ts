import { type Schema, type Storefront, StorefrontError } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";
import { me } from "../session/signed-in.ts";
import { guestOrders } from "./guest-orders.ts";

type Order = Schema["Order"];

/** Finds an order that the visitor may see: one that this browser placed as a guest, or one of the shopper's own. */
export const findOrder = async (c: ShopContext, orderId: number): Promise<Order> =>
  readOrder(await apiOfOrder(c, orderId), orderId);

/** The client that may read and change an order: the shop's for a guest's order, or the shopper's. */
export async function apiOfOrder(c: ShopContext, orderId: number): Promise<Storefront> {
  const isGuestOrder = (await guestOrders(c)).some(({ id }) => id === orderId);
  return isGuestOrder ? c.var.shop : me(c);
}

/** Orders that this browser placed as a guest, without those placed with an earlier API key. */
export async function findGuestOrders(c: ShopContext): Promise<Order[]> {
  const found = (await guestOrders(c)).map(async ({ id }) => {
    try {
      return [await readOrder(c.var.shop, id)];
    } catch (error) {
      if (error instanceof StorefrontError && error.status === 404) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

/** Finds the id of an order by its reference, among this browser's guest orders and the shopper's newest orders. */
export async function findOrderId(c: ShopContext, wanted: string): Promise<number | undefined> {
  const isWanted = ({ reference }: { reference: string }) => reference === wanted;
  const guestOrder = (await guestOrders(c)).find(isWanted);
  if (guestOrder) return guestOrder.id;
  const { data } = await me(c).GET("/api/v1/user/account/orders");
  return data.find(isWanted)?.id;
}

async function readOrder(api: Storefront, orderId: number): Promise<Order> {
  return (await api.GET("/api/v1/user/account/orders/{orderId}", { params: { path: { orderId } } })).data;
}
