import { beforeAll, describe, expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { call, ORIGIN } from "../support/call.ts";
import { anAdministrator, aVisitor } from "../support/panel.ts";
import { expectRefusal } from "../support/refusal.ts";
import { ADDRESS, aKey, aProduct, aUser, db } from "../support/shop.ts";

const SIGN_IN = "/admin/sign-in";

const fields = (count: number) => ({ email: Array.from({ length: count }, () => "a@b.test") });

describe("a form", () => {
  it.each([30_000, 201])("of %i fields is refused before it is parsed", async (count) => {
    const { status, html } = await aVisitor().post(SIGN_IN, fields(count));
    expect(status).toBe(400);
    expect(html).toContain("must have at most 200 fields");
  });

  it("may have 200 fields", async () => {
    expect((await aVisitor().post(SIGN_IN, { ...fields(199), password: "wrong" })).status).toBe(401);
  });

  it("of selected rows may have a thousand more", async () => {
    const { post } = await anAdministrator();
    const ids = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
    const told = async (count: number) => (await post("/admin/orders/bulk", { ids: ids(count) })).html;
    expect(await told(1_000)).not.toContain("fields");
    expect(await told(1_201)).toContain("must have at most 1200 fields");
  });

  it.each([SIGN_IN, "/account/verify", "/admin/orders", "/admin/products/bulk"])(
    "from any caller is counted at %s before it is read",
    async (path) => {
      const { post } = aVisitor();
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, fields(2_000))));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
      expect((await post(path, { email: "a@b.test", token: "x" })).status).toBe(429);
    },
  );
});

describe("a body of JSON", () => {
  it("gets the first 20 of its unknown fields reported", async () => {
    const { key } = await aKey();
    const unknown = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`field_${at}`, at]));
    const { status, body } = await call("POST /cart", { as: key, body: { product_id: 1, ...unknown } });
    expect([status, body.details.length, Object.keys(body.errors).length]).toEqual([400, 20, 20]);
    expect(body.details[19]).toEqual({ field: "field_19", code: "unknown_field" });
  });

  it.each([
    ["unknown fields", Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`f${at}`, 1]))],
    ["items", { items: Array.from({ length: 90_000 }, () => ({})) }],
    ["nested lists", JSON.parse(`${"[".repeat(6_000)}${"]".repeat(6_000)}`)],
  ])("with too many %s is refused before it is validated", async (_, body) => {
    const { key } = await aKey();
    const { status, body: refusal } = await call("POST /orders", { as: key, body });
    expect([status, refusal.details]).toEqual([400, [{ field: "body", code: "too_big", limit: 5_000 }]]);
  });
});

it("refuses a query of more than 200 parameters before it is parsed", async () => {
  const { key } = await aKey();
  const { status, body } = await call(`GET /products?${"a&".repeat(20_000)}`, { as: key });
  expect([status, body.details]).toEqual([400, [{ field: "query", code: "too_big", limit: 200 }]]);
});

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

/** Encodes each character as one byte: "\xe9" alone is not valid UTF-8. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const FORM = "application/x-www-form-urlencoded";

describe("a form of the panel", () => {
  const post = (body: string, type = FORM) => {
    const visitor = aVisitor();
    const headers = { ...visitor.headers(), Origin: ORIGIN, "Sec-Fetch-Site": "same-origin", "Content-Type": type };
    return visitor.send(new Request(`${ORIGIN}/admin/sign-in`, { method: "POST", headers, body: latin1(body) }));
  };

  it.each([
    ["as a byte", "email=caf\xe9%40example.com&password=secret"],
    ["as an escape", "email=caf%E9%40example.com&password=secret"],
    ["as half of an escape", "email=caf%C3&password=secret"],
  ])("is refused with text that is not UTF-8, %s", async (_, body) => {
    const { status, html } = await post(body);
    expect(status).toBe(400);
    expect(html).toContain("must be valid UTF-8");
  });

  it("is refused in another charset", async () => {
    expect((await post("email=a%40example.com&password=secret", `${FORM}; charset=windows-1252`)).status).toBe(415);
  });

  it("accepts a percent sign that is not an escape, and multi-byte characters", async () => {
    const { status, html } = await post("email=100%+%C3%A9%F0%9F%98%80&password=secret");
    expect(status).toBe(400);
    expect(html).not.toContain("must be valid UTF-8");
  });
});

it("refuses an upload's text that is not UTF-8 by field name, and stores no file", async () => {
  const { token } = await aUser({ role: "admin" });
  const body = latin1(
    [
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\ncaf\xe9\r\n',
      '--x\r\nContent-Disposition: form-data; name="access"\r\n\r\npublic\r\n',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
    ].join(""),
  );
  const headers = { "Content-Type": "multipart/form-data; boundary=x" };
  expectRefusal(await call("POST /admin/files", { as: token, body, headers }), 400, "name");
  expect(await db.select().from(tables.files)).toEqual([]);
});

it("accepts declared UTF-8, in any spelling", async () => {
  const { key } = await aKey();
  for (const charset of ["utf-8", "UTF-8", '"utf8"']) {
    const headers = { "Content-Type": `application/json; charset=${charset}` };
    const { status } = await call("POST /cart", { as: key, body: latin1("{}"), headers });
    expect(status).not.toBe(415);
  }
});
