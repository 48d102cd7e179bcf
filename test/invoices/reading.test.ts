import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { placeOrder } from "../support/orders.ts";
import { anAdministrator } from "../support/panel.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aProduct, aUser, onPurpose } from "../support/shop.ts";

const SHOP = {
  ...{ name: "Lamps", address: { ...ADDRESS, company: "Lamps GmbH", country: "DE" }, homeCountry: "DE" },
  ...{ pricesIncludeTax: true, invoicePrefix: "RE-", vatId: "DE123456789", iban: "DE02120300000000202051" },
};

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

beforeAll(async () => {
  await settleShop(SHOP);
  await aRate({ country: "DE", name: "USt" });
  await call("PUT /admin/payment-settings", { as: await asAdministrator(), body: { invoice: { offered: true } } });
});

const anOrder = async (payment_method = "wallet") =>
  placeOrder({ product: await aProduct({ price: 1190, name: "Brass Lamp" }), quantity: 2, payment_method });

const asked = async (line: string, body: object = {}) =>
  call(line, { as: await asAdministrator(), body, headers: onPurpose() });

it("shows buyers the invoices of their own orders, and nobody else's", async () => {
  const [order, stranger] = [await anOrder(), await aUser()];
  const issued = await asked(`POST /admin/orders/${order.id}/invoices`);
  expect(issued.status).toBe(201);
  expect(issued.body.data).toMatchObject({
    ...{ type: "invoice", total: 23.8, tax_total: 3.8, net_total: 20, order_number: order.number },
    seller: { name: "Lamps GmbH", vat_id: "DE123456789" },
    lines: [{ name: "Brass Lamp", quantity: 2, unit_price: 11.9, net: 20 }],
    taxes: [{ net: 20, tax_lines: [{ name: "USt", rate: 19, amount: 3.8 }] }],
  });
  await asked(`POST /admin/orders/${order.id}/refunds`, { items: [{ id: order.item, quantity: 1 }] });
  const path = `GET /account/invoices?order_id=${order.id}`;
  const { body } = await call(path, { as: order.user.token });
  expect(body.data).toMatchObject([
    { type: "credit_note", total: -11.9, corrects: { number: issued.body.data.number }, lines: [{ quantity: -1 }] },
    issued.body.data,
  ]);
  expect((await call(path, { as: stranger.token })).body.data).toEqual([]);
});

it("issues one invoice by hand, however often it is asked for", async () => {
  const { id } = await anOrder();
  const [first, second] = [
    await asked(`POST /admin/orders/${id}/invoices`),
    await asked(`POST /admin/orders/${id}/invoices`),
  ];
  expect(second.body.data).toEqual(first.body.data);
});

it("issues none for an order that waits, was refunded or ended, nor without the shop's address", async () => {
  const [waiting, refunded, cancelled, paid] = [
    await anOrder("credit_card"),
    await anOrder(),
    await anOrder(),
    await anOrder(),
  ];
  await asked(`POST /admin/orders/${refunded.id}/refunds`);
  await asked(`PUT /admin/orders/${cancelled.id}`, { status: "cancelled" });
  for (const { id } of [waiting, refunded, cancelled]) {
    const answer = await asked(`POST /admin/orders/${id}/invoices`);
    expect([answer.status, answer.body.code]).toEqual([409, "not_invoiceable"]);
  }
  await settleShop({ ...SHOP, address: null });
  const answer = await asked(`POST /admin/orders/${paid.id}/invoices`);
  expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining("address")]);
  const automatic = await asked("PUT /admin/shop", { invoice_moment: "payment" });
  expect([automatic.status, automatic.body.details]).toEqual([400, [expect.objectContaining({ field: "address" })]]);
  await settleShop(SHOP);
});

it("refuses an IBAN with wrong check digits and a VAT ID of no country's form", async () => {
  const body = { iban: "DE03120300000000202051", vat_id: "DE12", invoice_prefix: "1-" };
  const answer = await asked("PUT /admin/shop", body);
  expect(answer.body.details.map(({ field }: { field: string }) => field).toSorted()).toEqual(
    Object.keys(body).toSorted(),
  );
});

it("shows staff that no number is missing, and exports a row for each rate", async () => {
  const { id, number } = await anOrder();
  const invoice = (await asked(`POST /admin/orders/${id}/invoices`)).body.data;
  const as = await asAdministrator();
  const [series] = (await call("GET /admin/invoices/series", { as })).body.data;
  expect(series).toMatchObject({ complete: true, issued: series.last });
  const csv = (await call(`GET /admin/exports/invoices/csv?order_id=${id}`, { as })).body;
  expect(csv.split("\r\n").slice(1)).toEqual([
    `${invoice.number},invoice,${invoice.issued_on},,,${number},Ada Lovelace,DE,,wallet,${invoice.issued_on},USD,19,,20,3.8,23.8,S`,
    "",
  ]);
});

it("prints the order until it has an invoice, then its invoices, and never an amount due of a cancelled order", async () => {
  const panel = await anAdministrator();
  const order = await anOrder("credit_card");
  const print = async (id: number) => textOf((await panel.get(`/admin/orders/${id}/invoice`)).html);
  expect(await print(order.id)).toMatch(/Order .*Due \$23\.80/);
  await asked(`PUT /admin/orders/${order.id}`, { status: "cancelled" });
  expect(await print(order.id)).not.toMatch(/Due/);
  const sent = await anOrder("invoice");
  await asked(`POST /admin/orders/${sent.id}/shipments`, { carrier: "Post" });
  expect(await print(sent.id)).toContain("Issue invoice");
  expect((await panel.post(`/admin/orders/${sent.id}/invoices`)).location).toContain(`/admin/orders/${sent.id}`);
  expect(await print(sent.id)).toMatch(
    /Invoice RE-.*VAT ID DE123456789.*IBAN DE02.*USt 19\s%\s+on \$20\.00 \$3\.80 Total \$23\.80/,
  );
  await asked(`PUT /admin/orders/${sent.id}`, { status: "cancelled" });
  expect(await print(sent.id)).toMatch(/Credit note RE-.*Corrects invoice RE-.*Total -\$23\.80/);
  expect(textOf((await panel.get("/admin/invoices")).html)).toMatch(/none missing.*RE-/);
});
