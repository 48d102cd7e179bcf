import { exports } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { BASE, call, requestTo } from "../support/call.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { expectRefusal } from "../support/refusal.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

const SHOP = { name: "Λάμπες & Co", address: { ...ADDRESS, country: "DE" }, homeCountry: "DE", vatId: "DE123456789" };

beforeAll(async () => {
  await settleShop({ ...SHOP, pricesIncludeTax: true, invoiceMoment: "payment" });
  await aRate({ country: "DE", name: "USt" });
});

/** An order with as many lines as fill two pages, and its first invoice. */
async function anInvoice(lines = 1, more: object = {}) {
  const buyer = await aUser({ wallet: 10_000_000 });
  const products = await Promise.all(
    Array.from({ length: lines }, () => aProduct({ name: "Лампа «Größe» 灯", price: 1190 })),
  );
  const items = products.map(({ id }) => ({ product_id: id, quantity: 1, price: 11.9 }));
  const body = { ...orderOf({ id: 0, price: 0 }), items, ...more };
  const order = (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data;
  const [{ id }] = (await call("GET /account/invoices", { as: buyer.token })).body.data;
  return { id, order, buyer };
}

async function download(as: string, path: string) {
  const response = await exports.default.fetch(requestTo(`GET ${path}`, { as }));
  return {
    status: response.status,
    type: response.headers.get("Content-Type"),
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

it("gives a PDF and XML whose bytes are the same after every later change", async () => {
  const business = { ...ADDRESS, country: "DE", company: "Shops GmbH", vat_id: "DE987654321" };
  const { id, order, buyer } = await anInvoice(1, { billing_address: business });
  const read = () =>
    Promise.all(
      ["pdf", "xrechnung", "peppol"].map((format) => download(buyer.token, `/account/invoices/${id}/${format}`)),
    );
  const before = await read();
  expect(before.map(({ status, type }) => [status, type])).toEqual([
    [200, "application/pdf"],
    [200, "application/xml"],
    [200, "application/xml"],
  ]);
  const as = await asAdministrator();
  await call(`POST /admin/orders/${order.id}/refunds`, { as, body: {}, headers: onPurpose() });
  await settleShop({
    ...SHOP,
    name: "Other",
    timeZone: "Asia/Tokyo",
    pricesIncludeTax: true,
    invoiceMoment: "payment",
  });
  expect(await read()).toEqual(before);
  const credits = (await call("GET /account/invoices", { as: buyer.token })).body.data;
  const credit = await download(as, `${BASE.replace("/user", "")}/admin/invoices/${credits[0].id}/xrechnung`);
  expect(new TextDecoder().decode(credit.bytes)).toMatch(
    /<CreditNote .*<cbc:CreditNoteTypeCode>381.*<cbc:ID>.*-00001</,
  );
});

it("continues a long invoice on further pages", async () => {
  const { id, buyer } = await anInvoice(45);
  const { bytes } = await download(buyer.token, `/account/invoices/${id}/pdf`);
  const text = new TextDecoder("latin1").decode(bytes);
  expect(text.startsWith("%PDF-1.7")).toBe(true);
  expect(text).toContain("/Type/Pages/Count 2");
  // Both pages are numbered. Each glyph is 4 hexadecimal digits, and both numbers end with the same two.
  const [first, second] = [...text.matchAll(/ 25 Td <([0-9a-f]+)> Tj/g)].map(([, glyphs = ""]) => glyphs);
  expect(second?.slice(-8)).toBe(first?.slice(-8));
  expect(second).not.toBe(first);
  // Each object stands where the table says.
  const table = text.slice(text.lastIndexOf("xref\n0 ")).matchAll(/(\d{10}) 00000 n/g);
  expect([...table].every(([, at], place) => text.startsWith(`${place + 1} 0 obj`, Number(at)))).toBe(true);
});

it("says what an invoice to a consumer lacks for the Peppol network", async () => {
  const { id, buyer } = await anInvoice();
  expectRefusal(await call(`GET /account/invoices/${id}/peppol`, { as: buyer.token }), 400, "format");
});

it("gives no file to a stranger", async () => {
  const [{ id }, stranger] = [await anInvoice(), await aUser()];
  expect((await call(`GET /account/invoices/${id}/pdf`, { as: stranger.token })).status).toBe(404);
});
