import { expect, it } from "vitest";
import { shopCurrency, toDecimal } from "../../src/domain/money.ts";
import { anAdministrator, placed } from "../admin/orders/support.ts";
import { call } from "../support/call.ts";
import { money } from "../support/money.ts";
import { orderNow, pay } from "../support/orders.ts";
import { aProduct, aUser, orderOf } from "../support/shop.ts";

const historyOf = async (id: number, as: string) => (await call(`GET /account/orders/${id}`, { as })).body.data.history;

it("records the wallet's charge in the step that it causes", async () => {
  const { id, user } = await placed({ quantity: 3 });
  expect(await historyOf(id, user.token)).toMatchObject([
    { kind: "status", from: null, to: "pending", amount: null, currency: null },
    {
      kind: "payment",
      from: "pending",
      to: "processing",
      amount: money(30),
      currency: shopCurrency(),
      actor: `user:${user.id}`,
    },
  ]);
});

it("records a provider's payment, and a manual payment", async () => {
  const admin = await anAdministrator();
  const [atProvider, byHand] = [await placed({ method: "paypal" }), await placed({ method: "paypal" })];
  await pay(atProvider.id);
  await admin.change(byHand.id, { payment_status: "paid", note: "In the shop" });
  const { total } = await orderNow(byHand.id);
  const paid = { kind: "payment", amount: toDecimal(total), currency: shopCurrency() };
  expect((await historyOf(atProvider.id, atProvider.user.token)).at(-1)).toMatchObject({ ...paid, actor: "stripe" });
  const step = { ...paid, actor: `user:${admin.id}`, note: "In the shop" };
  expect((await historyOf(byHand.id, byHand.user.token)).at(-1)).toMatchObject(step);
});

it("records a partial refund with author, amount and reason, and keeps the status", async () => {
  const admin = await anAdministrator();
  const { id, item, user } = await placed({ quantity: 3 });
  await admin.refund(id, { items: [{ id: item, quantity: 1 }], note: "Arrived late" });
  await admin.refund(id, { amount: money(2.5) });
  const step = {
    kind: "refund",
    from: "processing",
    to: "processing",
    currency: shopCurrency(),
    actor: `user:${admin.id}`,
  };
  expect((await historyOf(id, user.token)).slice(-2)).toMatchObject([
    { ...step, amount: money(10), note: "Arrived late" },
    { ...step, amount: money(2.5), note: null },
  ]);
});

it("records a full refund and the status change that it causes", async () => {
  const { id, user } = await placed({ quantity: 3 });
  await call(`POST /account/orders/${id}/cancel`, { as: user.token });
  expect((await historyOf(id, user.token)).slice(-2)).toMatchObject([
    { kind: "refund", amount: money(30), actor: `user:${user.id}` },
    { kind: "status", from: "processing", to: "cancelled", amount: null },
  ]);
});

it("records no money where none moved", async () => {
  const [user, free] = [await aUser(), await aProduct({ price: 0 })];
  const { history } = (await call("POST /orders", { as: user.token, body: orderOf(free) })).body.data;
  expect(history.map(({ kind, amount }: { kind: string; amount: unknown }) => [kind, amount])).toEqual([
    ["status", null],
    ["status", null],
  ]);
});
