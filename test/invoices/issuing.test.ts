import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { linesOfInvoice } from "../../src/checkout/invoices/document.ts";
import { invoices } from "../../src/platform/db/schema.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { brokenInvariants } from "../support/invariants.ts";
import { invoicesThatDoNotAddUp } from "../support/invoices.ts";
import { LONG } from "../support/long.ts";
import { pay, placeOrder } from "../support/orders.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser, db, onPurpose, orderOf } from "../support/shop.ts";

const SHOP = { name: "Lamps & Co", address: { ...ADDRESS, company: "Lamps GmbH", country: "DE" }, homeCountry: "DE" };

const settled = (more: Parameters<typeof settleShop>[0]) =>
  settleShop({ ...SHOP, pricesIncludeTax: true, invoicePrefix: "RE-", ...more });

const invoicesOf = (orderId: number) =>
  db.select().from(invoices).where(eq(invoices.orderId, orderId)).orderBy(invoices.id);

const anOrder = async ({ quantity = 3, method = "wallet" } = {}) =>
  placeOrder({ product: await aProduct({ price: 1190, stock: 1000 }), quantity, payment_method: method });

const change = async (id: number, path: string, body: object) => {
  const line = path === "" ? `PUT /admin/orders/${id}` : `POST /admin/orders/${id}${path}`;
  const answer = await call(line, { as: await asAdministrator(), body, headers: onPurpose() });
  expect([200, 201]).toContain(answer.status);
  return answer.body.data;
};

const brokenInvoices = async () =>
  Object.entries(await brokenInvariants()).filter(([rule]) => rule.includes("invoice"));

beforeAll(async () => {
  await aRate({ country: "DE", name: "USt" });
  await call("PUT /admin/payment-settings", { as: await asAdministrator(), body: { invoice: { offered: true } } });
});

describe("a shop that issues invoices when orders are paid", () => {
  beforeAll(() => settled({ invoiceMoment: "payment" }));

  it("issues one with the payment, with seller, buyer, lines and taxes", async () => {
    const { id } = await anOrder();
    const [invoice, ...others] = await invoicesOf(id);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      ...{ type: "invoice", total: 3570, tax: 570, currency: "USD", corrects: null },
      seller: { name: "Lamps GmbH" },
      content: { shippingAddress: ADDRESS, paymentMethod: "wallet" },
    });
    expect(invoice?.number).toMatch(/^RE-\d{4}-0\d{4}$/);
    const lines = invoice && linesOfInvoice(invoice);
    expect(lines).toMatchObject([{ quantity: 3, unitPrice: 1190, net: 3000, taxes: [{ rate: 190_000, amount: 570 }] }]);
  });

  it("issues none before a payment, and one with a provider's event", async () => {
    const { id } = await anOrder({ method: "credit_card" });
    expect(await invoicesOf(id)).toEqual([]);
    await pay(id);
    expect(await invoicesOf(id)).toMatchObject([{ total: 3570 }]);
  });

  it("issues that of an order paid later when it is shipped, and a credit note when it is cancelled", async () => {
    const { id } = await anOrder({ method: "invoice" });
    expect(await invoicesOf(id)).toEqual([]);
    await change(id, "/shipments", { carrier: "Post" });
    expect(await invoicesOf(id)).toMatchObject([{ type: "invoice", total: 3570, content: { paidOn: null } }]);
    await change(id, "", { status: "cancelled" });
    const [invoice, credit] = await invoicesOf(id);
    expect(credit).toMatchObject({
      type: "credit_note",
      total: -3570,
      tax: -570,
      corrects: { number: invoice?.number },
    });
    expect(credit && linesOfInvoice(credit)).toMatchObject([{ quantity: -3, net: -3000 }]);
  });

  it("credits refunded units, amounts and shipping, and corrects what an edit changes", async () => {
    const { id, item } = await anOrder();
    await change(id, "/refunds", { items: [{ id: item, quantity: 1 }] });
    await change(id, "/refunds", { amount: 5 });
    const [, units, amount] = await invoicesOf(id);
    expect(units && linesOfInvoice(units)).toMatchObject([{ quantity: -1, net: -1000, taxes: [{ amount: -190 }] }]);
    expect(amount).toMatchObject({ type: "credit_note", total: -500, tax: -80 });
    const edited = await anOrder();
    const items = [{ id: edited.item, quantity: 5 }];
    await change(edited.id, "/edits", { items, expected_total: 59.5, received: true });
    expect(await invoicesOf(edited.id)).toMatchObject([{ total: 3570 }, { type: "corrected_invoice", total: 2380 }]);
    expect(await brokenInvoices()).toEqual([]);
    expect(await invoicesThatDoNotAddUp()).toEqual([]);
  });

  it("issues nothing for a refund of an order without an invoice, nor for one of a test key", async () => {
    await settled({ invoiceMoment: "manual" });
    const { id, item } = await anOrder();
    await settled({ invoiceMoment: "payment" });
    await change(id, "/refunds", { items: [{ id: item, quantity: 1 }] });
    expect(await invoicesOf(id)).toEqual([]);
    const sandbox = await aKey({ test: true });
    const body = orderOf(await aProduct(), 1, { payment_method: "test_card" });
    const { id: test } = (await call("POST /orders", { as: sandbox.key, body })).body.data;
    await pay(test);
    expect(await invoicesOf(test)).toEqual([]);
  });
});

it("issues them with the first parcel, or with the payment if nothing is shipped", async () => {
  await settled({ invoiceMoment: "shipment" });
  const { id, item } = await anOrder();
  expect(await invoicesOf(id)).toEqual([]);
  await change(id, "/shipments", { carrier: "Post", items: [{ id: item, quantity: 1 }] });
  await change(id, "/shipments", { carrier: "Post" });
  expect(await invoicesOf(id)).toMatchObject([{ total: 3570 }]);
  const [buyer, service] = [await aUser({ wallet: 10_000 }), await aProduct({ type: "service", stock: null })];
  const order = await call("POST /orders", { as: buyer.token, body: orderOf(service) });
  expect(await invoicesOf(order.body.data.id)).toHaveLength(1);
});

it("gives 200 orders at once numbers without a gap or a double", LONG, async () => {
  await settled({ invoiceMoment: "payment" });
  const lamp = await aProduct({ stock: 1000 });
  const buyers = await Promise.all(Array.from({ length: 4 }, () => aUser({ wallet: 1_000_000 })));
  const placed = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      call("POST /orders", { as: buyers[at % 4]?.token, body: orderOf(lamp), headers: onPurpose() }),
    ),
  );
  const issued = await Promise.all(placed.map(({ body }) => invoicesOf(body.data.id)));
  expect(new Set(issued.flat().map(({ number }) => number)).size).toBe(200);
  expect(await brokenInvoices()).toEqual([]);
});

/** A database whose batches fail at a statement. */
function failingAt(place: number, database: D1Database): D1Database {
  const opened = <Real extends D1Database | D1DatabaseSession>(real: Real): Real =>
    new Proxy(real, {
      get(target, name) {
        if (name === "withSession" && "withSession" in target) {
          return (start: D1SessionBookmark) => opened(target.withSession(start));
        }
        if (name === "batch") {
          const fails = database.prepare("SELECT json('no JSON')");
          return (all: D1PreparedStatement[]) => target.batch([...all.slice(0, place), fails, ...all.slice(place)]);
        }
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return opened(database);
}

it("takes no number in a batch that fails at any statement", async () => {
  await settled({ invoiceMoment: "payment" });
  const [buyer, lamp] = [await aUser({ wallet: 1_000_000 }), await aProduct()];
  const place = (bindings: Partial<Env> = {}) =>
    callWith(bindings, "POST /orders", { as: buyer.token, body: orderOf(lamp), headers: onPurpose() });
  const { bindings, work } = counted();
  const [before] = await invoicesOf((await place(bindings)).body.data.id);
  const logged = vi.spyOn(console, "error").mockReturnValue();
  for (let at = 0; at <= work.statements; at += 1) {
    expect((await place({ DB: failingAt(at, env.DB) })).status).toBe(500);
  }
  logged.mockRestore();
  const [after] = await invoicesOf((await place()).body.data.id);
  expect(after?.id).toBe(1 + (before?.id ?? 0));
});

it("keeps every byte of an invoice whatever happens to its order and the shop", async () => {
  await settled({ invoiceMoment: "payment" });
  const { id, item, product: lamp } = await anOrder();
  const bytes = async () => JSON.stringify((await invoicesOf(id))[0]);
  const issued = await bytes();
  await change(id, "/edits", { items: [{ id: item, quantity: 5 }], expected_total: 59.5, received: true });
  await change(id, "", { billing_address: { ...ADDRESS, city: "Bath" } });
  await change(id, "/shipments", { carrier: "Post" });
  await change(id, "/refunds", {});
  await call(`PUT /admin/products/${lamp.id}`, { as: await asAdministrator(), body: { name: "Other" } });
  await settled({ name: "Other", address: { ...SHOP.address, company: "Other" }, invoicePrefix: "X" });
  expect(await bytes()).toBe(issued);
});

it("refuses to change or delete an invoice, to leave a gap, and to issue one that is not the difference", async () => {
  await settled({ invoiceMoment: "payment" });
  const { id } = await anOrder();
  const run = (sql: string) => env.DB.prepare(sql).bind(id).run();
  await expect(run("UPDATE invoices SET number = number WHERE order_id = ?")).rejects.toThrow("invoice_is_final");
  await expect(run("DELETE FROM invoices WHERE order_id = ?")).rejects.toThrow("rows_stay");
  const copy = (added: number, total: string) =>
    run(`INSERT INTO invoices SELECT last + ${added}, 'RE-' || (id / 1000000000) || '-' || printf('%05d', (last + ${added}) % 1000000000),
      order_id, 'corrected_invoice', issued_at, issued_on, currency, ${total}, tax, seller, content, '{}'
      FROM invoices, (SELECT max(id) AS last FROM invoices) WHERE order_id = ?`);
  await expect(copy(2, "0")).rejects.toThrow("invoice_number_has_gap");
  await expect(copy(1, "total")).rejects.toThrow("invoices_do_not_add_up");
});
