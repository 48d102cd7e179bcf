import { expect, it } from "vitest";
import { shopCurrency } from "../../src/domain/money.ts";
import { call } from "../support/call.ts";
import { aCheckedImport, anImport } from "../support/jobs.ts";
import { aUser } from "../support/shop.ts";

/** Price when three digits follow a separator. Null if it is ambiguous. */
const readings: Record<string, { comma: number | null; point: number | null }> = {
  USD: { comma: null, point: null },
  JPY: { comma: 1500, point: 1500 },
  KWD: { comma: null, point: 1.5 },
};
const { comma, point } = readings[shopCurrency()] ?? {};

it.each([
  ["csv", "1,500", comma, (price: string) => `sku;name;type;price\nOWN;x;physical;${price}\n`],
  ["csv", "1.500", point, (price: string) => `sku;name;type;price\nOWN;x;physical;${price}\n`],
  ["woocommerce", "1.500", point, (price: string) => `SKU;Name;Regular price\nOWN;x;${price}\n`],
  ["shopify", "1,500", comma, (price: string) => `Handle;Title;Variant SKU;Variant Price\nx;x;OWN;${price}\n`],
])("reads a price of %s by the decimals of the currency: %s", async (format, text, price, fileOf) => {
  const { token: as } = await aUser({ role: "admin" });
  const file = fileOf(text);
  const checked = await aCheckedImport(file, { as });
  expect(checked).toMatchObject({ format, failed: price === null ? 1 : 0 });
  if (price === null) return;
  await anImport(file, { as });
  const { body } = await call("GET /admin/products?search=OWN", { as });
  expect(body.data).toMatchObject([{ sku: "OWN", price }]);
});
