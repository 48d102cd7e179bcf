import { exports } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { call, requestTo } from "../support/call.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aProduct, aUser, onPurpose, orderOf } from "../support/shop.ts";

beforeAll(async () => {
  const address = { ...ADDRESS, country: "DE" };
  const numbers = { invoicePrefix: "Größe-", invoiceMoment: "payment", vatId: "DE123456789" } as const;
  await settleShop({ name: "Lamps", address, homeCountry: "DE", pricesIncludeTax: true, ...numbers });
  await aRate({ country: "DE", name: "USt" });
});

const download = async (path: string): Promise<Uint8Array> => {
  const response = await exports.default.fetch(requestTo(`GET /admin/${path}`, { as: await asAdministrator() }));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
};

/** Files of a ZIP archive without compression, by the directory at its end (APPNOTE.TXT, 4.3.12 and 4.3.16). */
function unzipped(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer);
  const end = bytes.length - 22;
  const files = new Map<string, Uint8Array>();
  for (let at = view.getUint32(end + 16, true), left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const [size, nameLength, header] = [
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint32(at + 42, true),
    ];
    const isUtf8 = (view.getUint16(at + 8, true) & 0x800) !== 0;
    const name = new TextDecoder(isUtf8 ? "utf-8" : "latin1").decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const from = header + 30 + nameLength;
    files.set(name, bytes.slice(from, from + size));
    at += 46 + nameLength + view.getUint16(at + 30, true);
  }
  return files;
}

it("has the CSV of a month's invoices, and the PDF and XML of each", async () => {
  const [as, buyer, lamp] = [
    await asAdministrator(),
    await aUser({ wallet: 1_000_000 }),
    await aProduct({ price: 1190 }),
  ];
  for (let orders = 0; orders < 2; orders += 1) {
    const body = orderOf(lamp, 2);
    const { id } = (await call("POST /orders", { as: buyer.token, body, headers: onPurpose() })).body.data;
    await call(`POST /admin/orders/${id}/refunds`, { as, body: { amount: 1 }, headers: onPurpose() });
  }
  const { data: invoices } = (await call("GET /admin/invoices", { as })).body;
  const files = unzipped(await download("exports/invoices/zip?days=31"));
  const names = invoices.map(({ number }: { number: string }) => number).toReversed();
  expect(names).toHaveLength(4);
  expect([...files.keys()]).toEqual([
    ...names.flatMap((number: string) => [`${number}.pdf`, `${number}.xml`]),
    "invoices.csv",
  ]);
  expect(files.get("invoices.csv")).toEqual(await download("exports/invoices/csv?days=31"));
  const [newest] = invoices;
  expect(files.get(`${newest.number}.pdf`)).toEqual(await download(`invoices/${newest.id}/pdf`));
  expect(files.get(`${newest.number}.xml`)).toEqual(await download(`invoices/${newest.id}/xrechnung`));
  const credits = unzipped(await download(`exports/invoices/zip?type=credit_note&after_id=${invoices.at(-1).id}`));
  expect(credits.size).toBe(1 + 2 * 2);
});
