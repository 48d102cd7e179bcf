import { beforeAll, expect, it } from "vitest";
import { call } from "../support/call.ts";
import { ADDRESS, aKey, aProduct } from "../support/shop.ts";

// A body can hold 1 MB. If validation took quadratic time, these requests would take minutes.

const MANY = 300_000;

const ideographs = String.fromCharCode(...Array.from({ length: 20_000 }, (_, n) => 0x4e00 + n));

let key: string;
let productId: number;

beforeAll(async () => {
  key = (await aKey({ permissions: ["checkout:write"] })).key;
  productId = (await aProduct()).id;
});

it.each([
  ["many spaces inside", `a${" ".repeat(MANY)}a@shop.test`],
  ["a long domain that is not ASCII", `a@${ideographs.repeat(MANY / ideographs.length)}.test`],
  ["many dots", `a@${"é.".repeat(MANY)}test`],
  ["many at signs", `${"@".repeat(MANY)}é!`],
])("refuses an e-mail address with %s", async (_, email) => {
  const { status, body } = await call("POST /auth/login", { body: { email, password: "a password" } });
  expect([status, body.details]).toEqual([400, [{ field: "email", code: "too_big", limit: 254 }]]);
});

it.each([",", " ,", "1-", "(", "１", "ext "])("refuses a telephone number with many of %j", async (part) => {
  const shipping_address = { ...ADDRESS, phone: `${part.repeat(MANY / part.length)}x` };
  const { status, body } = await call("POST /checkout/quote", {
    as: key,
    body: { items: [{ product_id: productId, quantity: 1 }], shipping_address },
  });
  expect([status, body.details]).toEqual([400, [{ field: "shipping_address.phone", code: "too_big", limit: 40 }]]);
});

it.each(["name", "company", "address", "city", "region"])(
  "refuses an address whose %s has many spaces inside",
  async (part) => {
    const shipping_address = { ...ADDRESS, [part]: `a${" ".repeat(MANY)}a` };
    const { status, body } = await call("POST /checkout/quote", {
      as: key,
      body: { items: [{ product_id: productId, quantity: 1 }], shipping_address },
    });
    expect([status, body.details?.[0]]).toMatchObject([400, { field: `shipping_address.${part}`, code: "too_big" }]);
  },
);
