import { beforeAll, describe, expect, it } from "vitest";
import { Address } from "../../src/domain/address.ts";
import { Email, normalizePhone } from "../../src/domain/contact.ts";
import { call } from "../support/call.ts";
import { WORLD_ADDRESSES, WORLD_EMAILS, WORLD_PHONES } from "../support/people.ts";
import { noRules } from "../support/pricing.ts";
import { ADDRESS, aKey, aProduct, aUser } from "../support/shop.ts";

// Checkout accepts people's data as they write it, and keeps it.

let productId: number;
let key: string;
let shopper: string;

beforeAll(async () => {
  await noRules();
  productId = (await aProduct({ price: 1_000, stock: 1_000 })).id;
  key = (await aKey({ permissions: ["checkout:write"], tier: "premium" })).key;
  shopper = (await aUser()).token;
});

const quote = (sent: object) =>
  call("POST /checkout/quote", { as: key, body: { items: [{ product_id: productId, quantity: 1 }], ...sent } });

const quoteTo = (address: object) => quote({ shipping_address: { ...ADDRESS, ...address } });

describe("an address", () => {
  it.each(WORLD_ADDRESSES)(
    "of %s for %s is accepted without a warning",
    async (country, name, address, city, region, zip) => {
      const { status, body } = await quoteTo({ country, name, address, city, region, zip });
      expect([status, body.errors, body.data?.problems, body.data?.warnings]).toEqual([200, undefined, [], []]);
    },
  );

  it("of every country keeps its characters and gets its postal code formatted", () => {
    for (const [country, name, address, city, region, zip, stored] of WORLD_ADDRESSES) {
      const sent = { country, name, address, city, region, zip };
      expect(Address.parse(sent)).toEqual({ ...sent, zip: stored });
    }
  });

  it.each([
    ["DE", "5066"],
    ["US", "9410"],
    ["GB", "12345"],
    ["KR", "135-080"],
  ])("of %s with the postal code %s is accepted with a warning", async (country, zip) => {
    const { body } = await quoteTo({ country, zip });
    expect(body.data.problems).toEqual([]);
    expect(body.data.warnings).toEqual([
      { field: "shipping_address.zip", code: "doubtful_postal_code", message: expect.stringContaining(zip) },
    ]);
  });

  it.each([
    ["no postal code in a country that needs one", { country: "US", zip: "" }, "shipping_address.zip"],
    ["a control character", { city: "Bris\u0007tol" }, "shipping_address.city"],
    ["a telephone number without digits", { phone: "call me" }, "shipping_address.phone"],
    ["a telephone number of four digits", { phone: "1234" }, "shipping_address.phone"],
    ["a telephone number of sixteen digits", { phone: "1234567890123456" }, "shipping_address.phone"],
  ])("is refused with %s", async (_, address, field) => {
    const { status, body } = await quoteTo(address);
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  it("loses invisible marks around a name, and keeps those inside", async () => {
    const name = "علی\u200cرضا";
    const { body } = await call("POST /account/addresses", {
      as: shopper,
      body: { ...ADDRESS, name: `\u200f ${name}\u200e\u00a0`, city: "A\u200db" },
    });
    expect([body.data.name, body.data.city]).toEqual([name, "A\u200db"]);
  });
});

it.each(WORLD_PHONES)("the telephone number %s is accepted", async (phone, digits) => {
  expect((await quoteTo({ phone })).status).toBe(200);
  expect(normalizePhone(phone)).toBe(digits);
});

describe("an e-mail address", () => {
  it.each(WORLD_EMAILS)("such as %s is accepted", async (email, stored) => {
    expect(Email.parse(email)).toBe(stored);
    const { status, body } = await quote({ shipping_address: ADDRESS, customer: { email, name: "Jo" } });
    expect([status, body.errors]).toEqual([200, undefined]);
  });

  it.each([
    "jo",
    "jo@",
    "@example.com",
    "jo bloggs@example.com",
    "jö@example.com",
    "jo@example..com",
    "jo@-a.com",
    "a@b@c.de",
  ])("such as %s is refused", async (email) => {
    const { status, body } = await quote({ shipping_address: ADDRESS, customer: { email, name: "Jo" } });
    expect([status, Object.keys(body.errors)]).toEqual([400, ["customer.email"]]);
  });
});
