import fc from "fast-check";
import { expect, it } from "vitest";
import { toMinor } from "../../../src/domain/money.ts";
import { call } from "../../support/call.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { orderNow } from "../../support/orders.ts";
import { aProduct, aUser, onPurpose } from "../../support/shop.ts";

const units = fc.integer({ min: 1, max: 3 });
const line = fc.constantFrom(0, 1);

/** Steps of an order with returns. Those that are not possible are refused. */
const step = fc.oneof(
  fc.record({ do: fc.constant("ship" as const), line, units }),
  fc.record({ do: fc.constant("request" as const), line, units }),
  fc.record({ do: fc.constant("staff return" as const), line, units }),
  fc.record({ do: fc.constantFrom("approve", "send", "decline"), which: fc.nat(3) }),
  fc.record({ do: fc.constant("receive" as const), which: fc.nat(3), intact: fc.nat(2), damaged: fc.nat(1) }),
  fc.record({ do: fc.constant("settle" as const), which: fc.nat(3), deduction: fc.nat(12), shipping: fc.boolean() }),
  fc.record({ do: fc.constant("refund units" as const), line, units }),
  fc.record({ do: fc.constant("refund amount" as const), amount: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ do: fc.constant("refund all" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function live(steps: Step[]) {
  const [buyer, admin] = [await aUser({ wallet: 100_000 }), await aUser({ role: "admin" })];
  const sold = [await aProduct({ stock: 10 }), await aProduct({ stock: 10, price: 333 })];
  const items = sold.map(({ id, price }) => ({ product_id: id, quantity: 3, price: price / 100 }));
  const body = { items, payment_method: "wallet", shipping_address: { name: "A", address: "B", city: "C", zip: "D" } };
  const { data } = (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body;
  const ask = (path: string, sent: unknown, as = admin.token) => call(path, { as, body: sent, headers: onPurpose() });
  const lines = (at: number, quantity: number) => [{ id: data.items[at].id, quantity }];
  const made: { id: number; items: { id: number }[] }[] = [];
  const statuses = new Set<number>();
  for (const each of steps) {
    const answer = await (() => {
      const chosen = "which" in each ? made[each.which] : undefined;
      const path = `/admin/returns/${chosen?.id ?? 999_999}`;
      switch (each.do) {
        case "ship":
          return ask(`POST /admin/orders/${data.id}/shipments`, { carrier: "X", items: lines(each.line, each.units) });
        case "request":
          return ask(`POST /account/orders/${data.id}/returns`, { items: lines(each.line, each.units) }, buyer.token);
        case "staff return":
          return ask(`POST /admin/orders/${data.id}/returns`, { items: lines(each.line, each.units) });
        case "receive": {
          const counted = chosen?.items.map(({ id }) => ({ id, intact: each.intact, damaged: each.damaged }));
          return ask(`PUT ${path}`, { status: "received", ...(counted && { items: counted }) });
        }
        case "settle":
          return ask(`POST ${path}/settle`, {
            shipping: each.shipping ? undefined : false,
            ...(each.deduction > 0 && { deduction: each.deduction }),
          });
        case "refund units":
          return ask(`POST /admin/orders/${data.id}/refunds`, { items: lines(each.line, each.units) });
        case "refund amount":
          return ask(`POST /admin/orders/${data.id}/refunds`, { amount: each.amount });
        case "refund all":
          return ask(`POST /admin/orders/${data.id}/refunds`, {});
        default: {
          const moves = { approve: "approved", send: "in_transit", decline: "declined" } as const;
          const status = moves[each.do as keyof typeof moves];
          return ask(`PUT ${path}`, { status, ...(status === "declined" && { decline_reason: "No" }) });
        }
      }
    })();
    expect([200, 201, 400, 404, 409]).toContain(answer.status);
    statuses.add(answer.status);
    if (each.do === "request" || each.do === "staff return") {
      if (answer.status === 201) made.push(answer.body.data);
    }
  }
  expect(await brokenInvariants()).toEqual({});
  const [order, settled] = [await orderNow(data.id), await ask(`GET /admin/returns?order_id=${data.id}`, undefined)];
  const refunds: number[] = settled.body.data.map((each: { refunded_amount: number | null }) =>
    toMinor(each.refunded_amount ?? 0),
  );
  // A refund of everything settles several returns at once.
  for (const refund of refunds) expect(refund).toBeLessThanOrEqual(order.refundedTotal);
}

it("never refunds more than was paid, nor returns more than is left, under any sequence of returns and refunds", async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), live), { numRuns: 6 });
});
