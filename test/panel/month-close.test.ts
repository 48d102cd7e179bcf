import Papa from "papaparse";
import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { anAdministrator } from "../support/panel.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { ADDRESS, aProduct, aUser, onPurpose } from "../support/shop.ts";

// What an accountant gets for a month: the tax report, the invoices with their archive, and the transactions.

const admin = await anAdministrator();

beforeAll(async () => {
  const address = { ...ADDRESS, country: "DE" };
  await settleShop({ name: "Lamps", address, homeCountry: "DE", pricesIncludeTax: true, invoiceMoment: "payment" });
  await aRate({ country: "DE", name: "USt" });
});

/** Orders two lamps for 23.80, paid by a transfer. */
async function aPaidOrder() {
  const [buyer, lamp] = [await aUser(), await aProduct({ price: 1_190 })];
  const items = [{ product_id: lamp.id, quantity: 2, price: 11.9 }];
  const body = { items, shipping_address: { ...ADDRESS, country: "DE" }, payment_method: "bank_transfer" };
  const { data } = (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body;
  const paid = { as: admin.token, body: { payment_status: "paid" } };
  expect((await call(`PUT /admin/orders/${data.id}`, paid)).status).toBe(200);
  return data;
}

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " ");

/** The address of a link on a page. */
const linkIn = (html: string, words: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${words}</a>`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

/** Sum of a column of a CSV file, in cents. */
function sumOf(csv: string, column: string): number {
  const rows = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
}

it("adds up to one sum in the tax report, the invoices and the transactions, with a refund and a cancelled order", async () => {
  const [, returned, cancelled] = [await aPaidOrder(), await aPaidOrder(), await aPaidOrder()];
  const refund = {
    as: admin.token,
    body: { items: [{ id: returned.items[0].id, quantity: 1 }] },
    headers: onPurpose(),
  };
  expect((await call(`POST /admin/orders/${returned.id}/refunds`, refund)).status).toBe(200);
  const ended = { as: admin.token, body: { status: "cancelled" } };
  expect((await call(`PUT /admin/orders/${cancelled.id}`, ended)).status).toBe(200);
  const unpaid = [await aUser(), await aProduct({ price: 5_000 })] as const;
  const items = [{ product_id: unpaid[1].id, quantity: 1, price: 50 }];
  const body = { items, shipping_address: { ...ADDRESS, country: "DE" }, payment_method: "bank_transfer" };
  expect((await call("POST /orders", { as: unpaid[0].token, body, headers: onPurpose() })).status).toBe(201);

  const open = async (path: string) => (await admin.get(path)).html;
  const chosen = async (path: string) => open(linkIn(await open(path), "This month"));
  const [report, invoices, transactions] = [
    await chosen("/admin/tax-report"),
    await chosen("/admin/invoices"),
    await chosen("/admin/transactions"),
  ];
  // Two orders of 23.80 are left, less one lamp of 11.90.
  for (const words of ["$30.00", "$5.70", "$35.70"]) expect(textOf(report)).toContain(words);
  expect(textOf(invoices)).toContain("Net $30.00, tax $5.70, together $35.70");
  expect(textOf(transactions)).toContain("3 sales $71.40, 2 refunds -$35.70. Together $35.70.");

  const [taxes, documents, payments] = [
    await open(linkIn(report, "Export")),
    await open(linkIn(invoices, "Invoices, CSV")),
    await open(linkIn(transactions, "Transactions, CSV")),
  ];
  expect(sumOf(taxes, "gross")).toBe(3_570);
  expect([sumOf(documents, "net"), sumOf(documents, "tax")]).toEqual([3_000, 570]);
  // The export of transactions is from the customers' side.
  expect(sumOf(payments, "amount")).toBe(-3_570);
  expect(documents.trim().split("\r\n")).toHaveLength(1 + 5);
});
