import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { toDecimal } from "../../src/domain/money.ts";
import { accountNow } from "../support/accounts.ts";
import type { Answer } from "../support/call.ts";
import { aSendingShop, tokenIn } from "../support/emails.ts";
import { aGiftCardProduct, boughtGiftCards, redeem } from "../support/gift-cards.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { aDiscount, aRate, noRules, settleShop } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const { call, received } = aSendingShop();
let key: string;
let admin: string;

beforeAll(async () => {
  [key, admin] = [(await aKey()).key, await asAdministrator()];
});

function expectCode(answer: Answer, status: number, field: string | undefined, code: string): void {
  expectRefusal(answer, status, field);
  expect(field === undefined ? answer.body : answer.body.details[0]).toMatchObject({ code });
}

const balanceOf = async (id: number) => (await accountNow(id)).walletBalance;
const cardsOf = async (as: string, order: number) =>
  (await call(`GET /account/gift-cards?order_id=${order}`, { as })).body.data;
const refund = (order: { id: number }, body: object = {}) =>
  call(`POST /admin/orders/${order.id}/refunds`, { as: admin, body, headers: onPurpose() });
const lineOf = (order: { items: { id: number }[] }, quantity = 1) => ({
  items: [{ id: order.items[0]?.id, quantity }],
});

it("issues a card for each unit, worth its price, and stores no code", async () => {
  const { cards, order } = await boughtGiftCards({ units: 3 });
  expect(new Set(cards.map(({ code }: { code: string }) => code)).size).toBe(3);
  for (const { code, ...rest } of cards) {
    expect(code).toMatch(/^GIFT(-[0-9A-HJKMNP-TV-Z]{4}){6}$/);
    expect(rest).toMatchObject({
      order_id: order.id,
      value: toDecimal(5000),
      balance: toDecimal(5000),
      status: "active",
      test: false,
    });
  }
  const stored = JSON.stringify((await env.DB.prepare("SELECT * FROM gift_cards").all()).results);
  const secretGroups = cards.flatMap(({ code }: { code: string }) => code.split("-").slice(4));
  expect(secretGroups.filter((group: string) => stored.includes(group))).toEqual([]);
  expect(await cardsOf((await aUser()).token, order.id)).toEqual([]);
  expect(await brokenInvariants()).toEqual({});
});

it("redeems a part, then the rest, into the wallet of whoever has the code, and pays an order", async () => {
  const { code } = await boughtGiftCards();
  const friend = await aUser();
  const part = await redeem(friend.token, code.toLowerCase().replaceAll("-", " "), toDecimal(2000));
  expect([part.status, part.body.data]).toMatchObject([
    201,
    { kind: "credit", method: "wallet", amount: toDecimal(2000), gift_card_balance: toDecimal(3000) },
  ]);
  const rest = await redeem(friend.token, code);
  expect(rest.body.data).toMatchObject({
    amount: toDecimal(3000),
    balance_after: toDecimal(5000),
    gift_card_balance: 0,
    gift_card_id: part.body.data.gift_card_id,
  });
  expectCode(await redeem(friend.token, code), 400, "code", "gift_card_ended");
  const order = await call("POST /orders", { as: friend.token, body: orderOf(await aProduct({ price: 5000 })) });
  expect(order.body.data).toMatchObject({ payment_method: "wallet", payment_status: "paid" });
  expect(await balanceOf(friend.id)).toBe(0);
  expect((await refund(order.body.data)).status).toBe(200);
  expect(await balanceOf(friend.id)).toBe(5000);
  expect(await brokenInvariants()).toEqual({});
});

it("never pays more than the card holds, to however many at once", async () => {
  const { code } = await boughtGiftCards();
  const friends = await Promise.all(Array.from({ length: 8 }, () => aUser()));
  const sent = friends.map(({ token }, at) => redeem(token, code, at % 2 === 0 ? toDecimal(2000) : undefined));
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 201 && status !== 400)).toEqual([]);
  const balances = await Promise.all(friends.map(({ id }) => balanceOf(id)));
  expect(balances.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(5000);
  const more = await boughtGiftCards();
  const over = await redeem(friends[0]?.token ?? "", more.code, toDecimal(5001));
  expectCode(over, 400, "amount", "insufficient_funds");
  expect(over.body.details[0].balance).toBe(toDecimal(5000));
  expect(await brokenInvariants()).toEqual({});
});

it("redeems once for a request that is repeated", async () => {
  const { code } = await boughtGiftCards();
  const friend = await aUser();
  const headers = onPurpose();
  const first = await redeem(friend.token, code, toDecimal(1000), headers);
  const again = await redeem(friend.token, code, toDecimal(1000), headers);
  expect(again.body).toEqual(first.body);
  expect(await balanceOf(friend.id)).toBe(1000);
});

it("refuses a mistyped code before it reads a card, and each account after twenty attempts", async () => {
  const { code } = await boughtGiftCards();
  const friend = await aUser();
  const wrong = code.slice(0, -1) + (code.endsWith("0") ? "1" : "0");
  for (let n = 0; n < 20; n++) expectCode(await redeem(friend.token, wrong), 400, "code", "unknown_gift_card");
  expect((await redeem(friend.token, code)).status).toBe(429);
  expect((await redeem(key, code)).status).toBe(403);
  expectRefusal(await redeem((await aUser()).token, code, -1), 400, "amount");
  expectRefusal(await redeem((await aUser()).token, code, 0), 400, "amount");
});

it("issues the card of a guest once the order is paid, and asks for the address to which it is sent", async () => {
  const product = await aGiftCardProduct();
  const unknown = await call("POST /orders", { as: key, body: orderOf(product, 1, { payment_method: "paypal" }) });
  expectCode(unknown, 400, "customer.email", "required");
  const customer = { email: "gift@example.test", name: "Greta" };
  const { data: order } = (
    await call("POST /orders", { as: key, body: orderOf(product, 2, { payment_method: "paypal", customer }) })
  ).body;
  expect(await cardsOf(key, order.id)).toEqual([]);
  await call(`PUT /admin/orders/${order.id}`, { as: admin, body: { payment_status: "paid" } });
  const cards = await cardsOf(key, order.id);
  expect(cards).toHaveLength(2);
  const letters = received(customer.email).filter(({ subject }) => subject.includes("gift cards"));
  expect(letters).toHaveLength(1);
  const [letter] = letters;
  for (const { code } of cards) expect(letter?.text).toContain(code);
  const token = tokenIn(letter ?? { text: "" });
  const linked = await call("POST /orders/link", { body: { token } });
  expect(linked.body.data.gift_cards.map(({ code }: { code: string }) => code).toSorted()).toEqual(
    cards.map(({ code }: { code: string }) => code).toSorted(),
  );
  const page = await call(`GET https://shop.test/account/order?token=${encodeURIComponent(token)}`);
  expect(page.body).toContain(cards[0].code);
});

it("is neither discounted nor taxed in the Union, beside goods that are", async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: true, address: ADDRESS, vatId: "DE123456789" });
  await aRate({ country: "DE", rate: 190_000 });
  const { code } = await aDiscount({ kind: "percentage", percent: 100_000 });
  const user = await aUser({ wallet: 100_000 });
  const [card, lamp] = [await aGiftCardProduct(), await aProduct({ price: 1190 })];
  const items = [...orderOf(card).items, ...orderOf(lamp).items];
  const body = { ...orderOf(card), items, discount_codes: [code], shipping_address: ADDRESS };
  const placed = await call("POST /orders", { as: user.token, body });
  expect(placed.body.data).toMatchObject({
    discount_total: toDecimal(119),
    tax_total: toDecimal(171),
    items: [
      { total: toDecimal(5000), discount: 0, tax: 0 },
      { total: toDecimal(1190), discount: toDecimal(119) },
    ],
  });
  expect(JSON.stringify(placed.body.data.tax_lines)).toContain('"exemption":"voucher"');
  expectCode(
    await call("POST /orders", {
      as: user.token,
      body: { ...orderOf(card), discount_codes: [code] },
      headers: onPurpose(),
    }),
    400,
    "discount_codes.0",
    "discount_not_applicable",
  );
  await noRules();
});

it("is sold at its value by staff too", async () => {
  const [card, user] = [await aGiftCardProduct(), await aUser()];
  const body = {
    user_id: user.id,
    items: [{ product_id: card.id, quantity: 1, unit_price: toDecimal(100) }],
    payment_method: "cash",
  };
  expectCode(await call("POST /admin/orders", { as: admin, body }), 400, "items.0.unit_price", "not_applicable");
});

it.each([
  ["costs nothing", { price: 0 }],
  ["is shipped", { requires_shipping: true }],
  ["renews", { renews: "month" }],
])("refuses a product that %s", async (_, change) => {
  const product = { name: "Gift card", sku: crypto.randomUUID(), type: "gift_card", price: 50, ...change };
  expectCode(await call("POST /admin/products", { as: admin, body: product }), 400, "type", "invalid");
});

it("refunds unredeemed units, which ends their cards, and no redeemed ones", async () => {
  const { order, cards, user } = await boughtGiftCards({ units: 3 });
  const friend = await aUser();
  await redeem(friend.token, cards[1].code, toDecimal(1));
  const before = await balanceOf(user.id);
  expectCode(await refund(order, { amount: toDecimal(100) }), 409, undefined, "gift_card_in_use");
  expectCode(await refund(order, {}), 409, undefined, "gift_card_in_use");
  expectCode(await refund(order, lineOf(order, 3)), 409, undefined, "gift_card_in_use");
  expect((await refund(order, lineOf(order, 1))).status).toBe(200);
  expect((await refund(order, lineOf(order, 1))).status).toBe(200);
  expectCode(await refund(order, lineOf(order, 1)), 409, undefined, "gift_card_in_use");
  expect(await balanceOf(user.id)).toBe(before + 10_000);
  const after = await cardsOf(user.token, order.id);
  const statusOf = (id: number) => after.find((card: { id: number }) => card.id === id).status;
  expect(cards.map(({ id }: { id: number }) => statusOf(id)).toSorted()).toEqual(["active", "ended", "ended"]);
  expect(statusOf(cards[1].id)).toBe("active");
  for (const at of [0, 2]) expectCode(await redeem(friend.token, cards[at].code), 400, "code", "gift_card_ended");
  expect(await brokenInvariants()).toEqual({});
});

it("lets the money of other goods of the order be refunded, but not that of a redeemed card", async () => {
  const lamp = await aProduct({ type: "digital", price: 3000 });
  const { order, code } = await boughtGiftCards({ with: [lamp] });
  await redeem((await aUser()).token, code);
  expect((await refund(order, { amount: toDecimal(2000) })).status).toBe(200);
  expectCode(await refund(order, { amount: toDecimal(1001) }), 409, undefined, "gift_card_in_use");
  expect((await refund(order, { amount: toDecimal(1000) })).status).toBe(200);
});

it("is removed by an edit only while it is unredeemed, and keeps its price", async () => {
  const lamp = await aProduct({ price: 3000 });
  const { order, user } = await boughtGiftCards({ units: 2, with: [lamp] });
  const [card] = order.items;
  const edit = (content: object) => call(`POST /admin/orders/${order.id}/edits`, { as: admin, body: content });
  const other = { id: order.items[1].id, quantity: 1 };
  expectCode(
    await edit({ items: [{ id: card.id, quantity: 2, unit_price: toDecimal(1) }, other], expected_total: 32 }),
    400,
    "items.0.unit_price",
    "not_applicable",
  );
  expect((await edit({ items: [{ id: card.id, quantity: 1 }, other], expected_total: toDecimal(8000) })).status).toBe(
    200,
  );
  const [left] = (await cardsOf(user.token, order.id)).filter(({ status }: { status: string }) => status === "active");
  await redeem(user.token, left.code, toDecimal(1));
  expectCode(
    await edit({ items: [{ ...other, quantity: 1 }], expected_total: toDecimal(3000) }),
    409,
    undefined,
    "gift_card_in_use",
  );
  const more = await edit({ items: [{ id: card.id, quantity: 3 }, other], expected_total: toDecimal(18_000) });
  expect(more.status).toBe(200);
  expect(await cardsOf(user.token, order.id)).toHaveLength(4);
  expect(await brokenInvariants()).toEqual({});
});

it("holds whatever writes to the database", async () => {
  const { cards, user } = await boughtGiftCards();
  const id = cards[0].id;
  const refused = (sql: string) => expect(env.DB.prepare(sql).run()).rejects.toThrow(/SQLITE_CONSTRAINT/);
  await refused(`UPDATE gift_cards SET balance = balance - 1 WHERE id = ${id}`);
  await refused(`UPDATE gift_cards SET value = value + 1, balance = balance + 1 WHERE id = ${id}`);
  await refused(`DELETE FROM gift_cards WHERE id = ${id}`);
  await refused(`INSERT INTO transactions (user_id, kind, method, amount, balance_after, created_at, gift_card_id)
    SELECT id, 'credit', 'wallet', 5001, wallet_balance + 5001, 1, ${id} FROM users WHERE id = ${user.id}`);
  await refused(`INSERT INTO transactions (user_id, kind, method, amount, balance_after, created_at, gift_card_id)
    SELECT id, 'adjustment', 'wallet', -1, wallet_balance - 1, 1, ${id} FROM users WHERE id = ${user.id}`);
  await env.DB.prepare(`UPDATE gift_cards SET ended_at = 1 WHERE id = ${id}`).run();
  await refused(`UPDATE gift_cards SET ended_at = NULL WHERE id = ${id}`);
});

it("is issued by staff within their limits, found by the beginning of its code, and disabled for good", async () => {
  const body = { value: toDecimal(2500), reason: "Goodwill" };
  const headers = onPurpose();
  const issued = await call("POST /admin/gift-cards", { as: admin, body, headers });
  expect((await call("POST /admin/gift-cards", { as: admin, body, headers })).body).toEqual(issued.body);
  const { id, code } = issued.body.data;
  const friend = await aUser();
  expect((await call("POST /admin/gift-cards", { as: friend.token, body })).status).toBe(403);
  await redeem(friend.token, code, toDecimal(500));
  const start = code.split("-").slice(0, 4).join("-");
  const found = await call(`GET /admin/gift-cards?code_start=${start}`, { as: admin });
  expect(found.body.data).toMatchObject([
    { id, order_id: null, balance: toDecimal(2000), status: "active", code_start: start, reason: "Goodwill" },
  ]);
  expect(JSON.stringify(found.body)).not.toContain(code);
  const ledger = await call(`GET /admin/transactions?gift_card_id=${id}`, { as: admin });
  expect(ledger.body.data).toMatchObject([{ user_id: friend.id, amount: toDecimal(500), gift_card_id: id }]);
  expect((await call(`DELETE /admin/gift-cards/${id}`, { as: admin })).status).toBe(204);
  expect((await call(`DELETE /admin/gift-cards/${id}`, { as: admin })).status).toBe(204);
  expectCode(await redeem(friend.token, code), 400, "code", "gift_card_ended");
  const log = await call(`GET /admin/audit-log?subject=gift_card&subject_id=${id}`, { as: admin });
  expect(log.body.data.map(({ action }: { action: string }) => action)).toEqual([
    "gift_card.disable",
    "gift_card.create",
  ]);
  expect(JSON.stringify(log.body)).not.toContain(code.slice(-9));
});

it("gives back the balance of a disabled card by amount, once", async () => {
  const { order, cards, code } = await boughtGiftCards();
  await redeem((await aUser()).token, code, toDecimal(2000));
  await call(`DELETE /admin/gift-cards/${cards[0].id}`, { as: admin });
  expectCode(await refund(order, { amount: toDecimal(3001) }), 409, undefined, "gift_card_in_use");
  expect((await refund(order, { amount: toDecimal(3000) })).status).toBe(200);
  expectCode(await refund(order, { amount: toDecimal(1) }), 409, undefined, "gift_card_in_use");
  expect(await brokenInvariants()).toEqual({});
});

it("stays in the shop of tests if it was bought with a test key", async () => {
  const test = await aKey({ test: true });
  const customer = { email: "test@example.test", name: "Tess" };
  const body = orderOf(await aGiftCardProduct(), 1, { payment_method: "test_card", customer });
  const { data: order } = (await call("POST /orders", { as: test.key, body })).body;
  await call(`PUT /admin/orders/${order.id}`, { as: test.key, body: { payment_status: "paid" } });
  const [card] = await cardsOf(test.key, order.id);
  expect(card).toMatchObject({ test: true });
  expectCode(await redeem((await aUser()).token, card.code), 400, "code", "unknown_gift_card");
});
