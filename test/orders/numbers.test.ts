import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { placeOrder } from "../support/orders.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

const set = async (body: Record<string, unknown>) => call("PUT /admin/shop", { as: await asAdministrator(), body });

const numberOf = async (): Promise<string> => (await placeOrder()).number;

const digitsOf = (number: string): number => Number(/\d+$/.exec(number)?.[0]);

it("count up from #1001", async () => {
  expect(digitsOf(await numberOf())).toBeGreaterThan(1000);
  const number = await numberOf();
  expect(await numberOf()).toBe(`#${digitsOf(number) + 1}`);
});

it("have no gaps or duplicates among simultaneous orders, some of them repeated or refused", async () => {
  const [guests, goods, rare] = [await aKey({ tier: "premium" }), await aProduct(), await aProduct({ stock: 1 })];
  const before = digitsOf(await numberOf());
  const guest = (product: typeof goods, email: string, key: string) =>
    call("POST /orders", {
      as: guests.key,
      body: orderOf(product, 1, { payment_method: "credit_card", customer: { email, name: "Ada" } }),
      headers: { "Idempotency-Key": key },
    });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => [
      guest(goods, `number-${index}@shop.test`, `first-${index}`),
      guest(goods, `number-${index}@shop.test`, `first-${index}`),
      guest(rare, `rare-${index}@shop.test`, `rare-${index}`),
    ]).flat(),
  );
  const placed = answers.filter(({ status }) => status === 201);
  const numbers = new Set(placed.map(({ body }) => digitsOf(body.data.number)));
  expect([...numbers].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 21 }, (_, at) => before + 1 + at),
  );
  expect(digitsOf(await numberOf())).toBe(before + 22);
  expect(await brokenInvariants()).toEqual({});
});

it("are not used up by an order that the database refuses in its batch", async () => {
  const number = digitsOf(await numberOf());
  const [poor, product] = [await aUser({ wallet: 2_000 }), await aProduct({ stock: 3 })];
  const refused = await call("POST /orders", { as: poor.token, body: orderOf(product, 3) });
  expect(refused.body.details).toMatchObject([{ code: "insufficient_funds" }]);
  expect(digitsOf(await numberOf())).toBe(number + 1);
});

it("use a new prefix and start from then on, and keep those assigned before", async () => {
  const { number: old, id } = await placeOrder();
  expect((await set({ order_number_prefix: "EU-", order_number_start: 50_000 })).status).toBe(200);
  expect([await numberOf(), await numberOf()]).toEqual(["EU-50000", "EU-50001"]);
  expect((await set({ order_number_prefix: "" })).status).toBe(200);
  expect(await numberOf()).toBe("50002");
  const kept = await call(`GET /admin/orders/${id}`, { as: await asAdministrator() });
  expect(kept.body.data.number).toBe(old);
  await set({ order_number_prefix: "#" });
  expect(await numberOf()).toBe("#50003");
});

it("start only above the last one, and sending the same start again changes nothing", async () => {
  const last = digitsOf(await numberOf());
  for (const order_number_start of [1, last]) {
    const { status, body } = await set({ order_number_start });
    expect(body.errors.order_number_start).toEqual([
      `must be at least ${last + 1}, because #${last} is already in use`,
    ]);
    expect([status, body.details]).toEqual([
      400,
      [
        {
          field: "order_number_start",
          code: "too_small",
          limit: last + 1,
        },
      ],
    ]);
  }
  expect((await set({ order_number_start: last + 10 })).status).toBe(200);
  expect(await numberOf()).toBe(`#${last + 10}`);
  expect((await set({ order_number_start: last + 10, contact: "hello@shop.test" })).status).toBe(200);
});

it.each(["EU-1", "=1+", "-", "EU\nA", "@SUM", "a".repeat(13), "EU٣", "<b>", 7])(
  "cannot have the prefix %j",
  async (prefix) => {
    const { status, body } = await set({ order_number_prefix: prefix });
    expect([status, body.details[0].field]).toEqual([400, "order_number_prefix"]);
  },
);

it.each(["#", "EU-", "INV/2026-", "注文-", "No. "])("can have the prefix %j", async (prefix) => {
  expect((await set({ order_number_prefix: prefix })).body.data.order_number_prefix).toBe(prefix.trim());
});

it("cannot be changed", async () => {
  const { id } = await placeOrder();
  for (const change of ["number = '#1'", "sequence = 1", "reference = 'A'"]) {
    const changing = env.DB.prepare(`UPDATE orders SET ${change} WHERE id = ?`).bind(id).run();
    await expect(changing).rejects.toThrow("order_number_given");
  }
});
