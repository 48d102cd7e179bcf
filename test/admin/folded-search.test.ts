import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { ADDRESS, aFile, aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

/** A text as written, and as people type it. */
const spellings: [written: string, typed: string][] = [
  ["Łódźwerk", "lodzwerk"],
  ["Lodzbau", "Łódźbau"],
  ["Straßenfest", "STRASSENF"],
  ["Grosswies", "großwies"],
  ["ＡＢＣＤ", "abcd"],
  ["Ringﬁnger", "ringfinger"],
  ["ｶﾞﾗｽ", "ガラス"],
  ["Đà Nẵng", "da nang"],
  ["Матрёшка", "матрешка"],
  ["Черепашка", "ЧЕРЁПАШКА"],
  ["Ὀδυσσεύς", "ΟΔΥΣΣΕΥΣ"],
  ["Sørensen", "sorensen"],
  ["Ærøskøbing", "aeroskobing"],
  ["Œuvrier", "oeuvrier"],
  ["Þórður", "thordur"],
  ["Işıklar", "ISIKLAR"],
  ["Isparta", "ısparta"],
  ["كِتَاب", "كتاب"],
  ["Nº5½", "no5 1/2"],
];

const { key } = await aKey({ tier: "premium" });

type Named = { id: number };

async function idsOf(path: string, search: string, as: string): Promise<number[]> {
  const { status, body } = await call(`GET ${path}${encodeURIComponent(search)}`, { as });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }: Named) => id);
}

describe.each(spellings)("%s, typed as %s", (written, typed) => {
  let [product, user, file, order, guestOrder, apiKey, discount] = [0, 0, 0, 0, 0, 0, 0];
  let staff = "";

  beforeAll(async () => {
    staff = (await aUser({ role: "admin" })).token;
    const sold = await aProduct({ name: `Lamp ${written}`, description: `By ${written}, of old` });
    const buyer = await aUser({ name: written, wallet: 10_000 });
    product = sold.id;
    user = buyer.id;
    file = (await aFile({ name: written })).id;
    apiKey = (await aKey({ name: written })).id;
    const reduced = { name: written, kind: "percentage", percent: 5, code: `CODE-${apiKey}` };
    discount = (await call("POST /admin/discounts", { as: staff, body: reduced })).body.data.id;
    order = (await call("POST /orders", { as: buyer.token, body: orderOf(sold) })).body.data.id;
    const guest = { email: `guest-${product}@shop.test`, name: `Guest ${written}` };
    const placed = orderOf(sold, 1, { shipping_address: ADDRESS, payment_method: "credit_card", customer: guest });
    guestOrder = (await call("POST /orders", { as: key, body: placed })).body.data.id;
  });

  it("is found among products for shoppers", async () => {
    expect(await idsOf("/products?search=", typed, key)).toEqual([product]);
  });

  it("is found among the products, files and users of the admin API", async () => {
    expect(await idsOf("/admin/products?search=", typed, staff)).toEqual([product]);
    expect(await idsOf("/admin/files?search=", typed, staff)).toEqual([file]);
    expect(await idsOf("/admin/users?search=", typed, staff)).toEqual([user]);
  });

  it("is found among orders, of accounts and of guests", async () => {
    expect(await idsOf("/admin/orders?search=", typed, staff)).toEqual([guestOrder, order]);
  });

  it("is found among API keys and discounts", async () => {
    expect(await idsOf("/admin/api-keys?search=", typed, staff)).toEqual([apiKey]);
    expect(await idsOf("/admin/discounts?search=", typed, staff)).toEqual([discount]);
  });

  it("is found by the search across all of these", async () => {
    const { body } = await call(`GET /admin/search?q=${encodeURIComponent(typed)}`, { as: staff });
    const groups = body.data.map(({ kind, results }: { kind: string; results: Named[] }) => [
      kind,
      results.map(({ id }) => id).sort(),
    ]);
    expect(groups).toEqual([
      ["order", [order, guestOrder].sort()],
      ["user", [user]],
      ["product", [product]],
      ["file", [file]],
      ["api_key", [apiKey]],
    ]);
  });
});
