import { and, eq, inArray } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { selectOrders } from "../../src/checkout/orders/orders.ts";
import type { OrderRow } from "../../src/checkout/orders/schemas.ts";
import { sum } from "../../src/domain/rounding.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { confirm, tokenOf } from "../support/drafts.ts";
import { LONG } from "../support/long.ts";
import { orderNow } from "../support/orders.ts";
import { aRate, aShippingMethod, noRules, settleShop } from "../support/pricing.ts";
import { runsOf } from "../support/runs.ts";
import { ADDRESS, aProduct, aUser, db, settings } from "../support/shop.ts";

// However a member of staff combines actions, the shop loses no more than their limit: goods at list price with shipping and tax,
// and refunds, less what buyers owe or have paid. What the person says was received counts as lost.

const LISTS = [2_000, 5_000, 15_000];
const SHIPPING = 1_000;

let goods: { id: number }[];
beforeAll(async () => {
  await settleShop({ homeCountry: "DE", pricesIncludeTax: false });
  await aShippingMethod({ price: SHIPPING });
  await aRate({ country: "DE", rate: 200_000 });
  goods = await Promise.all(LISTS.map((price) => aProduct({ price, stock: 100_000 })));
});
afterAll(async () => {
  await noRules();
});

type Units = { product: number; quantity: number };

/** The total of a buyer without help from staff. */
const worth = (lines: readonly Units[]): number => {
  const net = lines.reduce((sum, { product, quantity }) => sum + quantity * (LISTS[product] ?? 0), SHIPPING);
  return lines.length === 0 ? 0 : net + net / 5;
};

const productAt = (id: number) => goods.findIndex((product) => product.id === id);

/** Amount that the shop loses by an order. Wallets of buyers hold real money. */
function lossBy({ status, paidAt, paymentMethod, total, items, history }: OrderRow): number {
  if (paidAt === null) {
    if (status === "cancelled") return 0;
    const goods = worth(items.map(({ productId, quantity }) => ({ product: productAt(productId), quantity })));
    return goods - owed(paymentMethod, total);
  }
  const sumOf = (kinds: string[]) =>
    history.reduce((sum, { kind, amount }) => sum + (kinds.includes(kind) ? (amount ?? 0) : 0), 0);
  const sent = status === "cancelled" || status === "refunded" ? [] : items;
  const delivered = worth(sent.map((item) => ({ product: productAt(item.productId), quantity: item.quantity })));
  const received = paymentMethod === "wallet" ? sumOf(["payment", "edit_charge"]) : 0;
  return delivered + sumOf(["refund", "edit_refund"]) - received;
}

/** Nobody has to pay for goods that leave the shop before they are paid. */
const owed = (method: string, total: number): number => (method === "invoice" ? 0 : total);

const line = fc.record({
  product: fc.nat({ max: 2 }),
  quantity: fc.constantFrom(1, 1, 2, 30),
  unitPrice: fc.option(fc.constantFrom(0, 10, 19, 45, 140, 400), { freq: 2 }),
});
const concessions = {
  lines: fc.array(line, { minLength: 1, maxLength: 2 }),
  discount: fc.option(fc.constantFrom({ percent: 100 }, { percent: 10 }, { amount: 30 }), { freq: 2 }),
  shipping: fc.option(fc.constantFrom(0, 5, 300), { freq: 2 }),
  exempt: fc.boolean(),
  method: fc.constantFrom("bank_transfer", "invoice"),
};
const which = fc.nat({ max: 9 });
const action = fc.oneof(
  fc.record({ do: fc.constant("place" as const), paid: fc.boolean(), ...concessions }),
  fc.record({ do: fc.constant("draft" as const), ...concessions }),
  fc.record({ do: fc.constant("change" as const), which, ...concessions }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant("edit" as const), which, keeps: fc.boolean(), ...concessions }) },
  fc.record({ do: fc.constantFrom("send" as const, "confirm" as const, "place draft" as const), which }),
  fc.record({
    do: fc.constantFrom("pay" as const, "cancel" as const, "refund" as const),
    which,
    amount: fc.nat({ max: 90 }),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer Of> ? Of : never;
type Concessions = Extract<Action, { do: "place" }>;

const termsOf = ({ discount, shipping, exempt }: Pick<Concessions, "discount" | "shipping" | "exempt">) => ({
  ...(discount && { discount: { ...discount, reason: "Sorry" } }),
  ...(shipping !== null && { custom_shipping: { name: "Courier", price: shipping } }),
  ...(exempt && { tax_exempt_reason: "VAT DE123" }),
});
const itemsOf = (lines: Concessions["lines"]) =>
  lines.map(({ product, quantity, unitPrice }) => ({
    product_id: goods[product]?.id,
    quantity,
    ...(unitPrice !== null && { unit_price: unitPrice }),
  }));

const guest = { email: "random-given@example.test", name: "Greta Guest" };
const shipping_address = { ...ADDRESS, country: "DE" };
const contentOf = (asked: Omit<Concessions, "do" | "paid">) => ({
  customer: guest,
  items: itemsOf(asked.lines),
  shipping_address,
  payment_method: asked.method,
  ...termsOf(asked),
});

/** The lines of a draft's content. */
const unitsOf = (items: { product_id: number; quantity: number }[]): Units[] =>
  items.map(({ product_id, quantity }) => ({ product: productAt(product_id), quantity }));

it("never loses more than the limit of support, by any sequence of their actions", LONG, async () => {
  const seen = { done: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 12 }), async (actions) => {
      const [support, buyer] = [await aUser({ role: "support" }), await aUser({ wallet: 10_000_000 })];
      const ask = async (request: string, body: object) => {
        const answer = await call(request, { as: support.token, body });
        expect(answer.status, JSON.stringify([request, body, answer.body])).toBeLessThan(500);
        if (answer.body.code === "spending_limit") seen.refused++;
        return answer;
      };
      const items = [{ product_id: goods[2]?.id, quantity: 1, price: 150 }];
      const bought = await call("POST /orders", {
        as: buyer.token,
        body: { items, shipping_address, payment_method: "wallet" },
      });
      const [orders, drafts]: [number[], { id: number; reference: string }[]] = [[bought.body.data.id], []];
      const draftAt = (place: number) => drafts[place % drafts.length];
      const orderAt = (place: number) => orders[place % orders.length];

      const run = async (step: Action): Promise<void> => {
        if (step.do === "place") {
          const { do: _, paid, ...asked } = step;
          const { status, body } = await ask("POST /admin/orders", { ...contentOf(asked), paid });
          if (status === 201) orders.push(body.data.id);
          return;
        }
        if (step.do === "draft") {
          const { status, body } = await ask("POST /admin/draft-orders", contentOf(step));
          if (status === 201) drafts.push(body.data);
          return;
        }
        if ("keeps" in step) {
          const order = await orderNow(orderAt(step.which) ?? 0);
          const kept = order.items.map(({ id, quantity }) => ({ id, quantity: step.keeps ? quantity : quantity + 1 }));
          const changes = { ...termsOf(step), items: [...(step.keeps ? kept : kept.slice(1)), ...itemsOf(step.lines)] };
          const quoted = await ask(`POST /admin/orders/${order.id}/edits/quote`, changes);
          if (quoted.status !== 200) return;
          const { total } = quoted.body.data;
          await ask(`POST /admin/orders/${order.id}/edits`, { ...changes, expected_total: total, received: true });
          return;
        }
        if (step.do === "pay" || step.do === "cancel" || step.do === "refund") {
          const id = orderAt(step.which);
          if (step.do === "pay") await ask(`PUT /admin/orders/${id}`, { payment_status: "paid" });
          else if (step.do === "cancel") await ask(`PUT /admin/orders/${id}`, { status: "cancelled" });
          else await ask(`POST /admin/orders/${id}/refunds`, step.amount > 0 ? { amount: step.amount } : {});
          return;
        }
        const draft = draftAt(step.which);
        if (!draft) return;
        const path = `/admin/draft-orders/${draft.id}`;
        if (step.do === "change") await ask(`PUT ${path}`, contentOf(step));
        else if (step.do === "send") await ask(`POST ${path}/send`, {});
        else if (step.do === "place draft") {
          const { status, body } = await ask(`POST ${path}/place`, {});
          if (status === 201) orders.push(body.data.id);
        } else {
          const { quote } = (await call(`GET ${path}`, { as: support.token })).body.data;
          if (!quote || (await confirm(tokenOf(draft), quote.total)).status !== 303) return;
          orders.push((await call(`GET ${path}`, { as: support.token })).body.data.order_id);
        }
      };

      for (const step of actions) {
        await run(step);
        seen.done++;
        const placed = await selectOrders(db).where(inArray(tables.orders.id, orders));
        let lost = sum(placed.map((order) => Math.max(0, lossBy(order))));
        const ofThese = inArray(
          tables.draftOrders.id,
          drafts.map(({ id }) => id),
        );
        const sent = await db
          .select({ id: tables.draftOrders.id })
          .from(tables.draftOrders)
          .where(and(ofThese, eq(tables.draftOrders.status, "sent")));
        for (const { id } of sent) {
          const { quote, content } = (await call(`GET /admin/draft-orders/${id}`, { as: support.token })).body.data;
          const price = owed(content.payment_method, Math.round(100 * quote.total));
          lost += Math.max(0, worth(unitsOf(content.items)) - price);
        }
        expect(lost).toBeLessThanOrEqual(settings.staffSpendingLimit);
      }
    }),
    { numRuns: runsOf(20) },
  );
  expect(seen.done).toBeGreaterThan(5 * runsOf(20));
  expect(seen.refused).toBeGreaterThan(runsOf(20));
});
