import { expect, it } from "vitest";
import { shopCurrency } from "../../src/domain/money.ts";
import { administration } from "../support/administration.ts";
import { call } from "../support/call.ts";
import { aGiftCardProduct } from "../support/gift-cards.ts";
import { money } from "../support/money.ts";
import { aUser, orderOf } from "../support/shop.ts";

const { ask } = administration();

it("has the amounts of the currency in the events of products, orders, refunds and gift cards", async () => {
  const { token: as } = await aUser({ wallet: 100_000 });
  const mug = { name: "Mug", sku: "MUG", type: "physical", price: money(12.5), status: "active", stock_quantity: 9 };
  const { id } = (await ask("POST /admin/products", mug)).body.data;
  const { body } = await call("POST /orders", { as, body: orderOf({ id, price: 1250 }, 2) });
  await ask(`POST /admin/orders/${body.data.id}/refunds`, { items: [{ id: body.data.items[0].id, quantity: 1 }] });
  await call("POST /orders", { as, body: orderOf(await aGiftCardProduct(2000)) });
  const events = (await ask("GET /admin/events?per_page=100")).body.data;
  const dataOf = (type: string) => events.find((event: { type: string }) => event.type === type)?.data;
  const currency = shopCurrency();
  expect(dataOf("product.created")).toMatchObject({ price: money(12.5) });
  expect(dataOf("order.paid")).toMatchObject({ total: money(25), currency });
  expect(dataOf("refund.created")).toMatchObject({ amount: money(12.5), refunded_total: money(12.5) });
  expect(dataOf("refund.succeeded")).toMatchObject({ amount: money(12.5), currency });
  expect(dataOf("gift_card.created")).toMatchObject({ value: money(20) });
});
