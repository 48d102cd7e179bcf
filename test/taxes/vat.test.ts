import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { orders, vatChecks } from "../../src/platform/db/schema.ts";
import { script, sent } from "../payments/support/stand-in.ts";
import { call, callWith } from "../support/call.ts";
import { counted } from "../support/counting.ts";
import { aRate, settleShop } from "../support/pricing.ts";
import { asAdministrator } from "../support/settings.ts";
import { ADDRESS, aKey, aProduct, aUser, db, onPurpose } from "../support/shop.ts";

const HOME = { ...ADDRESS, country: "DE" };
const SHOP = {
  address: HOME,
  homeCountry: "DE",
  pricesIncludeTax: true,
  vatId: "DE123456789",
  language: "de",
} as const;

let numbers = 10_000_000;

/** A French number that no test has used, with these digits at its end. */
const aFrenchId = (end = "") => `FR40${`${++numbers}${end}`.slice(-9).padStart(9, "1")}`;

const inFrance = (vat_id: string | null, more: object = {}) => ({
  ...{ name: "Ada", company: "Lampes SAS", address: "1 rue", city: "Paris", zip: "75001", country: "FR", vat_id },
  ...more,
});

let lamp: { id: number };
let download: { id: number };
let key: string;
let admin: string;

beforeAll(async () => {
  await aRate({ country: "DE", name: "USt" });
  [lamp, download] = [
    await aProduct({ price: 11_900, stock: 1000 }),
    await aProduct({ price: 11_900, type: "service", stock: null }),
  ];
  [key, admin] = [(await aKey({ permissions: ["checkout:read", "checkout:write"] })).key, await asAdministrator()];
});

beforeEach(() => settleShop(SHOP));

let buyers = 0;

/** Buyers may have ten unpaid orders each. */
const aCustomer = () => ({ email: `vat-${++buyers}@lampes.example`, name: "Ada" });
const itemsOf = (...products: { id: number }[]) => products.map(({ id }) => ({ product_id: id, quantity: 1 }));

const quoted = async (shipping_address: object, more: object = {}, headers = {}) => {
  const body = { items: itemsOf(lamp), customer: aCustomer(), shipping_address, ...more };
  const answer = await call("POST /checkout/quote", { as: key, body, headers });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

const place = (shipping_address: object, more: object = {}, headers = {}) => {
  const items = itemsOf(lamp).map((item) => ({ ...item, price: 119 }));
  const body = { items, customer: aCustomer(), shipping_address, payment_method: "credit_card", ...more };
  return call("POST /orders", { as: key, body, headers: { ...onPurpose(), ...headers } });
};

const placed = async (...asked: Parameters<typeof place>) => {
  const answer = await place(...asked);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
};

const TAXED = { total: 119, tax_total: 19, tax_exempt_reason: null, tax_lines: [{ exemption: null }] };
const UNTAXED = { total: 100, tax_total: 0, vat_check: { status: "valid" } };

describe("a business in another member state", () => {
  it("buys goods without tax, with the consultation number and the sentence in its language", async () => {
    const vat_id = aFrenchId();
    const asked = [inFrance(vat_id), {}, { "Accept-Language": "fr" }] as const;
    const quote = await quoted(...asked);
    const order = await placed(inFrance(vat_id), { expected_total: 100 }, { "Accept-Language": "fr" });
    for (const priced of [quote, order]) {
      expect(priced).toMatchObject({
        ...UNTAXED,
        vat_check: { vat_id, consultation_number: expect.stringMatching(/^WAPI/) },
      });
      expect(priced.tax_lines).toMatchObject([{ rate: 0, amount: 0, exemption: "intra_community_supply" }]);
      expect(priced.tax_exempt_reason).toMatch(/^Livraison intracommunautaire exonérée/);
    }
    expect(quote.warnings).toEqual([]);
    const [asking, ...more] = await sent(vat_id.slice(2));
    expect(more).toEqual([]);
    expect(JSON.parse(asking?.body ?? "")).toEqual({
      ...{ countryCode: "FR", vatNumber: vat_id.slice(2) },
      ...{ requesterMemberStateCode: "DE", requesterNumber: "123456789" },
    });
  });

  it("owes the tax on a service itself, by the country of its billing address", async () => {
    const service = { items: itemsOf(download), billing_address: inFrance(aFrenchId()) };
    expect(await quoted(HOME, service)).toMatchObject({
      ...UNTAXED,
      tax_exempt_reason: "Steuerschuldnerschaft des Leistungsempfängers (Artikel 196 der Richtlinie 2006/112/EG)",
      tax_lines: [{ exemption: "reverse_charge" }],
    });
  });

  it("uses the VAT ID in its address book", async () => {
    const user = await aUser();
    const { body } = await call("POST /account/addresses", { as: user.token, body: inFrance(aFrenchId()) });
    expect(body.data.vat_id).toMatch(/^FR/);
    const order = { items: itemsOf(lamp).map((item) => ({ ...item, price: 119 })), payment_method: "credit_card" };
    const answer = await call("POST /orders", {
      as: user.token,
      body: { ...order, shipping_address_id: body.data.id },
    });
    expect(answer.body.data).toMatchObject(UNTAXED);
  });

  it("is served by staff alike", async () => {
    const body = {
      customer: aCustomer(),
      items: itemsOf(lamp),
      shipping_address: inFrance(aFrenchId()),
      payment_method: "bank_transfer",
    };
    expect((await call("POST /admin/orders", { as: admin, body, headers: onPurpose() })).body.data).toMatchObject(
      UNTAXED,
    );
  });
});

describe("an order is taxed, and its quote says why,", () => {
  const cases: [string, () => object, object | null, RegExp | null][] = [
    ["for an invalid ID", () => inFrance(aFrenchId("999")), { status: "invalid" }, /not registered/],
    [
      "for the ID of another company",
      () => inFrance(aFrenchId(), { company: "Rivale SA" }),
      { status: "other_name" },
      /another company/,
    ],
    [
      "for an ID without a company",
      () => inFrance(aFrenchId(), { company: null, name: "Ada Lampes" }),
      { status: "other_name" },
      /company name/,
    ],
    [
      "while the tax authorities do not answer",
      () => inFrance(aFrenchId("555")),
      { status: "unavailable", consultation_number: null },
      /did not respond/,
    ],
    [
      "for an ID of another country than the delivery's",
      () => inFrance(aFrenchId(), { country: "AT", zip: "1010" }),
      { status: "valid" },
      /is from France/,
    ],
    ["for an ID of the shop's country", () => inFrance("DE136695976"), null, null],
    ["for a British ID", () => inFrance("GB123456789"), null, null],
  ];

  it.each(cases)("%s", async (_, address, vat_check, words) => {
    const sold = address();
    const expected = vat_check === null ? { ...TAXED, vat_check } : { ...TAXED, vat_check };
    const quote = await quoted(sold);
    expect(quote).toMatchObject(expected);
    expect(quote.warnings).toMatchObject(
      words === null
        ? []
        : [{ field: "shipping_address.vat_id", code: "vat_id_without_effect", message: expect.stringMatching(words) }],
    );
    expect(await placed(sold)).toMatchObject(expected);
  });

  it("if the service is slow, fails or answers nonsense", async () => {
    const line = "POST /vies/check-vat-number";
    const answers = [
      { status: 200, body: null, hangs: true },
      { status: 500, body: { actionSucceed: false, errorWrappers: [{ error: "GLOBAL_MAX_CONCURRENT_REQ" }] } },
      { status: 200, body: { valid: "yes" } },
    ] as const;
    for (const answer of answers) {
      const vat_id = aFrenchId();
      await script({ line, about: vat_id.slice(2), ...answer });
      expect(await placed(inFrance(vat_id))).toMatchObject({ ...TAXED, vat_check: { status: "unavailable" } });
    }
  });

  it("if the shop has no VAT ID, and asks nobody", async () => {
    await settleShop({ ...SHOP, vatId: null });
    const vat_id = aFrenchId();
    expect(await quoted(inFrance(vat_id))).toMatchObject({ ...TAXED, vat_check: null, warnings: [] });
    expect(await sent(vat_id.slice(2))).toEqual([]);
  });
});

it("asks about twenty IDs an hour for a shopper, and then only taxes those that it does not know", async () => {
  const from = (address: string) => ({ "X-Client-Address": address });
  const ids = Array.from({ length: 21 }, () => aFrenchId());
  for (const [at, vat_id] of ids.entries()) {
    const status = at < 20 ? "valid" : "unavailable";
    expect(await quoted(inFrance(vat_id), {}, from("192.0.2.77"))).toMatchObject({ vat_check: { vat_id, status } });
  }
  const [known = "", last = ""] = [ids[0], ids[20]];
  expect(await sent(last.slice(2))).toEqual([]);
  expect(await db.$count(vatChecks, eq(vatChecks.vatId, last))).toBe(0);
  expect(await placed(inFrance(last), {}, from("192.0.2.77"))).toMatchObject(TAXED);
  expect(await quoted(inFrance(known), {}, from("192.0.2.77"))).toMatchObject(UNTAXED);
  expect(await quoted(inFrance(last), {}, from("192.0.2.78"))).toMatchObject(UNTAXED);
});

it("refuses an order whose VAT ID was swapped after the quote, and leaves nothing behind", async () => {
  const { total } = await quoted(inFrance(aFrenchId()));
  const before = await db.$count(orders);
  const answer = await place(inFrance(aFrenchId("999")), { expected_total: total });
  expect(answer.body.details).toMatchObject([{ field: "expected_total", code: "total_changed", total: 119 }]);
  expect(await db.$count(orders)).toBe(before);
});

it("refuses a VAT ID that no member state could have issued", async () => {
  const answer = await place(inFrance("FR123"));
  expect(answer.body.details).toMatchObject([{ field: "shipping_address.vat_id", code: "invalid" }]);
});

describe("an edit afterwards", () => {
  const edit = (id: number, body: object) =>
    call(`POST /admin/orders/${id}/edits`, { as: admin, body, headers: onPurpose() });

  it("keeps the check of the VAT ID, even if the service is down now", async () => {
    const order = await placed(inFrance(aFrenchId()));
    await env.DB.exec("DELETE FROM vat_checks");
    await script({
      line: "POST /vies/check-vat-number",
      about: order.vat_check.vat_id.slice(2),
      status: 503,
      body: {},
    });
    const items = [{ id: order.items[0].id, quantity: 2 }];
    const edited = await edit(order.id, { items, expected_total: 200 });
    expect(edited.body.data).toMatchObject({ ...UNTAXED, total: 200, vat_check: order.vat_check });
    expect(edited.body.data.tax_exempt_reason).toMatch(/^Steuerfreie innergemeinschaftliche Lieferung/);
  });

  it.each([
    ["sends the goods elsewhere", () => inFrance(null, { country: "DE", zip: "10119" })],
    ["names an invalid ID", () => inFrance(aFrenchId("999"))],
    ["names the ID of somebody else", () => inFrance(aFrenchId(), { company: "Rivale SA" })],
  ])("taxes an order that it %s", async (_, address) => {
    const order = await placed(inFrance(aFrenchId()));
    const edited = await edit(order.id, { shipping_address: address(), expected_total: 119 });
    expect(edited.body.data).toMatchObject(TAXED);
  });

  it("by a correction of the address cannot change the VAT ID", async () => {
    const vat_id = aFrenchId();
    const { id } = await placed(inFrance(vat_id));
    const correct = (body: object) => call(`PUT /admin/orders/${id}`, { as: admin, body });
    const other = await correct({ billing_address: inFrance(aFrenchId()) });
    expect(other.body.details).toMatchObject([{ field: "billing_address.vat_id", code: "not_applicable" }]);
    expect((await correct({ shipping_address: inFrance(null) })).body.details).toMatchObject([
      { field: "shipping_address.vat_id" },
    ]);
    expect((await correct({ shipping_address: inFrance(vat_id, { city: "Lyon" }) })).status).toBe(200);
  });

  it.each([
    ["even a service that is done", () => ({ billing_address: inFrance(aFrenchId()), items: itemsOf(download) })],
    ["even goods that are sent", () => ({ items: itemsOf(lamp) })],
  ])("by a correction cannot bill it to somebody else, %s", async (_, more) => {
    const body = { ...{ customer: aCustomer(), shipping_address: inFrance(aFrenchId()) }, ...more() };
    const made = await call("POST /admin/orders", {
      as: admin,
      body: { ...body, payment_method: "bank_transfer", paid: true },
      headers: onPurpose(),
    });
    const { id, ...order } = made.body.data;
    expect(order).toMatchObject(UNTAXED);
    const billed = order.billing_address ?? order.shipping_address;
    const correct = (change: object) => {
      const { phone_normalized: _normalized, ...address } = { ...billed, ...change };
      return call(`PUT /admin/orders/${id}`, { as: admin, body: { billing_address: address } });
    };
    const refusesOthers = async () => {
      for (const change of [{ country: "DE", zip: "10119" }, { company: null }, { name: "Somebody else" }]) {
        const { status, body } = await correct(change);
        expect([status, body.details]).toMatchObject([400, [{ field: `billing_address.${Object.keys(change)[0]}` }]]);
      }
    };
    await refusesOthers();
    if (order.status === "processing") {
      const change = { status: "shipped", shipment: { carrier: "Post" } };
      expect((await call(`PUT /admin/orders/${id}`, { as: admin, body: change })).status).toBe(200);
      await refusesOthers();
    }
    expect((await correct({ city: "Lyon" })).status).toBe(200);
  });
});

it("keeps an order without tax only with a valid VAT ID in its billed address", async () => {
  const { id } = await placed(inFrance(aFrenchId()));
  const run = (change: string) => env.DB.prepare(`UPDATE orders SET ${change} WHERE id = ?`).bind(id).run();
  await expect(run("vat_check = json_set(vat_check, '$.status', 'invalid')")).rejects.toThrow("vat_id_not_valid");
  await expect(run("billing_address = '{}'")).rejects.toThrow("vat_id_not_valid");
  const copy = `INSERT INTO orders (reference, number, sequence, status, payment_status, fulfillment_status, currency, subtotal, total,
    payment_method, tax_lines, created_at, updated_at, updated_by)
    SELECT 'x', 'x', -1, status, payment_status, fulfillment_status, currency, subtotal, total, payment_method, tax_lines, 1, 1, 'x'
    FROM orders WHERE id = ?`;
  await expect(env.DB.prepare(copy).bind(id).run()).rejects.toThrow("vat_id_not_valid");
});

it("takes the order of a buyer without a VAT ID in one round trip, in a shop that has one", async () => {
  await placed(inFrance(null));
  const { bindings, trips } = counted();
  const items = itemsOf(lamp).map((item) => ({ ...item, price: 119 }));
  const body = { items, customer: aCustomer(), shipping_address: inFrance(null), payment_method: "credit_card" };
  const answer = await callWith(bindings, "POST /orders", { as: key, body, headers: onPurpose() });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  expect(trips.d1).toBe(1);
});

it("sells abroad and as a small business without tax", async () => {
  expect(await quoted(inFrance(null, { country: "CH", zip: "8000" }))).toMatchObject({
    ...{
      total: 100,
      tax_lines: [{ exemption: "export" }],
      tax_exempt_reason: expect.stringMatching(/^Steuerfreie Ausfuhr/),
    },
  });
  const as = admin;
  expect((await call("PUT /admin/shop", { as, body: { small_business: true } })).status).toBe(200);
  expect(await placed(HOME)).toMatchObject({
    ...{ total: 119, tax_total: 0, tax_lines: [{ exemption: "small_business" }] },
    tax_exempt_reason: "Steuerbefreiung für Kleinunternehmer (§ 19 UStG)",
  });
});
