import { beforeAll, expect, it } from "vitest";
import { aDiscount, aShippingMethod } from "../support/pricing.ts";
import { aFile, aProduct } from "../support/shop.ts";
import { aBuyer, aReadySession, ask, complete, DESTINATION, deliveredTo, linesOf, openToAgents } from "./agent.ts";
import { Envelope, UcpCart, UcpCheckout, UcpOrder } from "./shapes.ts";

// The lifetime of sessions: their lines, a cart that becomes a checkout, and what the protocol's conformance suite tests.

beforeAll(async () => {
  await openToAgents();
  await aShippingMethod({ name: "Post", price: 500 });
});

const checkout = async (line: string, body?: object) => UcpCheckout.parse((await ask(line, { body })).body);
const idsOf = ({ line_items }: { line_items: { id: string }[] }) => line_items.map(({ id }) => id);
const amountOf = ({ totals }: { totals: { type: string; amount: number }[] }, wanted: string) =>
  totals.find(({ type }) => type === wanted)?.amount;

it("turns a cart into one open checkout, by a request as the specification shows it", async () => {
  const [product, other] = [await aProduct(), await aProduct()];
  const cart = UcpCart.parse((await ask("POST /carts", { body: { line_items: linesOf(product, 2) } })).body);
  const asked = { cart_id: cart.id, line_items: [] };
  const first = await checkout("POST /checkout-sessions", asked);
  expect(first.line_items).toMatchObject([{ id: cart.line_items[0]?.id, quantity: 2 }]);
  const again = await checkout("POST /checkout-sessions", { ...asked, line_items: linesOf(other) });
  expect(again).toEqual(first);
  await ask(`POST /checkout-sessions/${first.id}/cancel`);
  const next = await checkout("POST /checkout-sessions", asked);
  expect(next.id).not.toBe(first.id);
  expect(idsOf(next)).toEqual(idsOf(first));
});

it("turns a cart into one checkout, however often it is converted at once", async () => {
  const cart = (await ask("POST /carts", { body: { line_items: linesOf(await aProduct()) } })).body;
  const body = { cart_id: cart.id, line_items: [] };
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask("POST /checkout-sessions", { body })));
  expect(new Set(answers.map((answer) => UcpCheckout.parse(answer.body).id)).size).toBe(1);
});

it("lets a page's script send the headers of an agent", async () => {
  const asked = { Origin: "https://agent.example", "Access-Control-Request-Method": "POST" };
  const { headers } = await ask("OPTIONS /carts", { headers: asked });
  const allowed = headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(",");
  expect(allowed).toEqual(expect.arrayContaining(["ucp-agent", "signature", "signature-input", "content-digest"]));
});

it("keeps the id of a line while others go, and in the order", async () => {
  const [first, second, third] = [await aProduct(), await aProduct(), await aProduct()];
  const session = UcpCheckout.parse(
    await aReadySession(first, { line_items: [first, second].flatMap((p) => linesOf(p)) }),
  );
  const [, kept] = idsOf(session);
  const path = `/checkout-sessions/${session.id}`;
  const changed = await checkout(`PUT ${path}`, { line_items: linesOf(second, 3) });
  expect(idsOf(changed)).toEqual([kept]);
  expect(changed.fulfillment?.methods[0]?.line_item_ids).toEqual([kept]);
  const replaced = await checkout(`PUT ${path}`, {
    line_items: [...linesOf(second), { ...linesOf(third)[0], id: kept }],
  });
  expect(replaced.line_items[1]).toMatchObject({ id: kept, item: { id: String(third.id) } });
  const done = UcpCheckout.parse((await complete(session.id)).body);
  expect(idsOf(done)).toEqual(idsOf(replaced));
  const order = UcpOrder.parse((await ask(`GET /orders/${done.order?.id}`)).body);
  expect(idsOf(order)).toEqual(idsOf(replaced));
  const [expected] = order.fulfillment.expectations;
  expect(idsOf(expected ?? { line_items: [] })).toEqual(idsOf(replaced));
  // The order has one name, which is neither a first nor a last name.
  expect(expected?.destination).toEqual(DESTINATION);
});

it("says where each discount was taken off, and takes codes in any case", async () => {
  const [pen, box] = [await aProduct({ price: 1_000 }), await aProduct({ price: 3_000 })];
  await aDiscount({ code: "TENTH", kind: "percentage", percent: 100_000 });
  await aDiscount({ code: "FIXED4", kind: "amount", amount: 400 });
  await aDiscount({ code: "POSTFREE", kind: "free_shipping" });
  const body = { line_items: [...linesOf(pen), ...linesOf(box)], fulfillment: deliveredTo(), buyer: aBuyer() };
  const codes = ["tenth", "Fixed4", "POSTFREE"];
  const session = await checkout("POST /checkout-sessions", { ...body, discounts: { codes } });
  const applied = session.discounts?.applied ?? [];
  expect(applied.map(({ code }) => code)).toEqual(["TENTH", "FIXED4", "POSTFREE"]);
  for (const { amount, allocations } of applied) {
    expect(allocations.reduce((sum, { amount: part }) => sum + part, 0)).toBe(amount);
  }
  expect(applied[0]?.allocations).toEqual([
    { path: "$.line_items[0]", amount: 100 },
    { path: "$.line_items[1]", amount: 300 },
  ]);
  expect(applied[2]?.allocations).toEqual([{ path: "$.totals.shipping", amount: 500 }]);
  expect(amountOf(session, "items_discount")).toBe(-800);
  expect(amountOf(session, "discount")).toBe(-500);
  const ofLines = session.line_items.map((line) => amountOf(line, "items_discount") ?? 0);
  expect(ofLines.reduce((sum, amount) => sum + amount, 0)).toBe(-800);

  const path = `/checkout-sessions/${session.id}`;
  const kept = await checkout(`PUT ${path}`, { line_items: body.line_items });
  expect(kept.discounts?.applied).toHaveLength(3);
  const cleared = await checkout(`PUT ${path}`, { line_items: body.line_items, discounts: { codes: [] } });
  expect([cleared.discounts, amountOf(cleared, "items_discount")]).toEqual([{ codes: [], applied: [] }, undefined]);
});

it.each(["pink_wumpus", "987654321"])("does not find the item %s", async (id) => {
  const line = { item: { id }, quantity: 1 };
  const nothing = await ask("POST /checkout-sessions", { body: { line_items: [line] } });
  expect([nothing.status, Envelope.parse(nothing.body).messages]).toMatchObject([
    200,
    [{ code: "not_found", path: "$.line_items[0].item.id", severity: "unrecoverable" }],
  ]);
  expect(nothing.body.messages[0].content).toBe("The item is not for sale");
  const some = UcpCheckout.parse(
    await aReadySession(await aProduct(), { line_items: [line, ...linesOf(await aProduct())] }),
  );
  expect(some).toMatchObject({ status: "incomplete", messages: [{ code: "not_found" }] });
  expect(some.line_items[0]?.item.id).toBe(id);
});

it("reports a quantity beyond the stock, and one beyond what a line can have, as messages", async () => {
  const [few, endless] = [await aProduct({ stock: 3 }), await aProduct({ stock: null })];
  const { id } = await aReadySession(few);
  const path = `/checkout-sessions/${id}`;
  const beyond = await ask(`PUT ${path}`, { body: { line_items: linesOf(few, 10_001) } });
  expect([beyond.status, UcpCheckout.parse(beyond.body).messages?.map(({ code }) => code)]).toEqual([
    200,
    ["quantity_adjusted", "out_of_stock"],
  ]);
  const adjusted = await checkout(`PUT ${path}`, { line_items: linesOf(endless, 10_001) });
  expect(adjusted).toMatchObject({ status: "ready_for_complete", line_items: [{ quantity: 1_000 }] });
  const restored = await checkout(`PUT ${path}`, { line_items: linesOf(few, 3) });
  expect(restored).toMatchObject({ status: "ready_for_complete", line_items: [{ quantity: 3 }] });
});

it("places no order while its delivery is not chosen", async () => {
  const session = await checkout("POST /checkout-sessions", { line_items: linesOf(await aProduct()), buyer: aBuyer() });
  const refused = await complete(session.id);
  expect([refused.status, UcpCheckout.parse(refused.body)]).toMatchObject([
    200,
    { status: "incomplete", messages: [{ code: "missing", path: "$.fulfillment.methods[0].destinations" }] },
  ]);
  expect(refused.body.order).toBeUndefined();
});

it("asks for the e-mail address to which a guest's downloads are sent", async () => {
  const download = await aProduct({ type: "digital", fileIds: [(await aFile()).id] });
  const line_items = linesOf(download);
  const asked = await checkout("POST /checkout-sessions", { line_items });
  expect(asked.messages).toContainEqual(expect.objectContaining({ code: "missing", path: "$.buyer.email" }));
  const known = await checkout(`PUT /checkout-sessions/${asked.id}`, { line_items, buyer: aBuyer() });
  expect(known.status).toBe("ready_for_complete");
});
