import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { formatAmount, toDecimal } from "../../../src/domain/money.ts";
import { entriesOf } from "../../support/administration.ts";
import { call } from "../../support/call.ts";
import { shared } from "../../support/callers.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { money } from "../../support/money.ts";
import { orderNow, productNow, userNow } from "../../support/orders.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aFile, aProduct, aUser, orderOf } from "../../support/shop.ts";
import { anAdministrator, placed } from "./support.ts";

const anAdmin = shared(() => anAdministrator());

let admin: Awaited<ReturnType<typeof anAdministrator>>;

beforeEach(async () => {
  admin = await anAdmin();
});

it("refunds an amount and leaves units, stock and status unchanged", async () => {
  const { id, user, product } = await placed({ quantity: 3 });
  const { status, body } = await admin.refund(id, { amount: money(4.99), note: "A scratch" });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    status: "processing",
    payment_status: "partially_refunded",
    refunded_total: money(4.99),
    items: [{ quantity: 3, refunded_quantity: 0 }],
  });
  expect((await userNow(user.id))?.walletBalance).toBe(97_499);
  expect((await productNow(product.id))?.stockQuantity).toBe(7);
  expect((await entriesOf(id))[0]?.after).toMatchObject({ refunded_amount: money(4.99), refunded_items: [] });
  expect(await brokenInvariants()).toEqual({});
});

it("ends an order with the last of its money, including its units and their downloads", async () => {
  const file = await aFile({ access: "package" });
  const [user, product] = [await aUser({ wallet: 5000 }), await aProduct({ price: 1000, fileIds: [file.id] })];
  const { id } = (await call("POST /orders", { as: user.token, body: orderOf(product, 2) })).body.data;
  await admin.refund(id, { amount: money(12.5) });
  const { body } = await admin.refund(id, { amount: money(7.5), restock: true });
  expect(body.data).toMatchObject({
    status: "refunded",
    payment_status: "refunded",
    refunded_total: money(20),
    items: [{ refunded_quantity: 2 }],
  });
  expect((await userNow(user.id))?.walletBalance).toBe(5000);
  expect((await productNow(product.id))?.stockQuantity).toBe(100);
  const { data } = (await call("GET /account/packages", { as: user.token })).body;
  expect(data.map((granted: { status: string }) => granted.status)).toEqual(["revoked"]);
  expect(await brokenInvariants()).toEqual({});
});

it("names the remaining amount when more is requested", async () => {
  const { id } = await placed({ quantity: 3 });
  await admin.refund(id, { amount: money(20) });
  const refused = await admin.refund(id, { amount: money(10.01) });
  expectRefusal(refused, 400, "amount");
  expect(refused.body.errors.amount[0]).toContain(formatAmount(1000));
});

it("refunds units by no more than the remaining money, and the rest with the last unit", async () => {
  const { id, item } = await placed({ quantity: 3 });
  await admin.refund(id, { amount: money(25) });
  const one = await admin.refund(id, { items: [{ id: item, quantity: 1 }] });
  expect(one.body.data).toMatchObject({ status: "processing", payment_status: "refunded", refunded_total: money(30) });
  const rest = await admin.refund(id);
  expect(rest.body.data).toMatchObject({ status: "refunded", payment_status: "refunded", refunded_total: money(30) });
  expect(await brokenInvariants()).toEqual({});
});

it("refunds no more than was paid in many simultaneous requests", async () => {
  const { id, user } = await placed({ quantity: 3 });
  const answers = await Promise.all(Array.from({ length: 6 }, () => admin.refund(id, { amount: money(11) })));
  const through = answers.filter(({ status }) => status === 200).length;
  for (const { status } of answers) expect([200, 400, 409]).toContain(status);
  expect(through).toBeGreaterThanOrEqual(1);
  expect((await orderNow(id)).refundedTotal).toBe(through * 1100);
  expect((await userNow(user.id))?.walletBalance).toBe(97_000 + through * 1100);
});

it("is refused by the database itself if it exceeds what was paid", async () => {
  const { id } = await placed({ quantity: 3 });
  const refund = env.DB.prepare(
    "INSERT INTO transactions (order_id, kind, method, amount, created_at) VALUES (?, 'refund', 'paypal', 3001, 0)",
  ).bind(id);
  await expect(refund.run()).rejects.toThrow("refund_exceeds_payment");
});

it("leaves a paid order paid when free units are refunded", async () => {
  const [user, paid, free] = [await aUser({ wallet: 5000 }), await aProduct(), await aProduct({ price: 0 })];
  const items = [paid, free].map(({ id, price }) => ({ product_id: id, quantity: 1, price: toDecimal(price) }));
  const { data } = (await call("POST /orders", { as: user.token, body: { ...orderOf(paid), items } })).body;
  const gift = { items: [{ id: data.items[1].id, quantity: 1 }], note: "Not wanted" };
  const { body } = await admin.refund(data.id, gift);
  expect(body.data).toMatchObject({ status: "processing", payment_status: "paid", refunded_total: 0 });
  expect(body.data.history.at(-1)).toMatchObject({ kind: "refund", amount: 0, note: "Not wanted" });
});
