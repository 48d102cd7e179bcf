import type { ShopContext } from "../env.ts";

const KEPT_SECONDS = 30 * 24 * 60 * 60;

const keyOf = (orderId: number): string => `shipped:${orderId}`;

/** Marks an order as newly shipped until its buyer has looked at it. */
export const noteShipment = ({ env }: ShopContext, orderId: number): Promise<void> =>
  env.STORE.put(keyOf(orderId), "", { expirationTtl: KEPT_SECONDS });

/** Returns the ids of the orders shipped since their buyer last looked at them. */
export async function newShipments({ env }: ShopContext, orderIds: number[]): Promise<Set<number>> {
  const notes = await Promise.all(orderIds.map((id) => env.STORE.get(keyOf(id))));
  return new Set(orderIds.filter((_, place) => notes[place] !== null));
}

export const forgetShipment = ({ env }: ShopContext, orderId: number): Promise<void> =>
  env.STORE.delete(keyOf(orderId));
