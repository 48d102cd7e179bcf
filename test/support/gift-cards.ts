import { call } from "./call.ts";
import { aProduct, aUser, onPurpose, orderOf } from "./shop.ts";

export const aGiftCardProduct = (price = 5000) => aProduct({ type: "gift_card", stock: null, price });

/** An account's paid order of gift cards, with the cards. */
export async function boughtGiftCards({
  price = 5000,
  units = 1,
  with: more = [] as { id: number; price: number }[],
} = {}) {
  const user = await aUser({ wallet: 1_000_000 });
  const [card, ...others] = [await aGiftCardProduct(price), ...more];
  const body = orderOf(card, units);
  const items = [...body.items, ...others.flatMap((product) => orderOf(product).items)];
  const { data: order } = (
    await call("POST /orders", { as: user.token, body: { ...body, items }, headers: onPurpose() })
  ).body;
  const { data: cards } = (await call(`GET /account/gift-cards?order_id=${order.id}`, { as: user.token })).body;
  return { user, order, cards, code: String(cards[0]?.code) };
}

export const redeem = (as: string, code: string, amount?: number, headers = {}) =>
  call("POST /account/gift-cards/redeem", { as, body: { code, ...(amount !== undefined && { amount }) }, headers });
