import { expect, it } from "vitest";
import { opened } from "../support/body-routes.ts";
import { call } from "../support/call.ts";
import { expectRefusal, nameOf } from "../support/refusal.ts";
import { withField } from "../support/wrong-values.ts";

/** A number as written in the JSON text, which JavaScript may be unable to represent. */
const raw = (text: string) => `raw:${text}`;
const textOf = (body: unknown) => JSON.stringify(body).replace(/"raw:([^"]*)"/g, "$1");

const quantities = ["0", "-0", "-1", "1.5", "1e309", "-1e309", "1001", "9007199254740993", "1e300"];
const prices = ["10.001", "1e-7", "-10", "1e309", "-1e309", "10000000", "1e300", "0.30000000000000004"];
const ids = ["0", "-1", "1.5", "1e309", "9007199254740992", "9007199254740993", "18446744073709551616", "1e300"];
const strings = ["10.00", "1", "", "abc"];

const line = { product_id: 1, quantity: 1, price: 10 };

const emails = [
  "",
  " ",
  "ada",
  "ada@",
  "@shop.test",
  "ada@shop",
  "ada@@shop.test",
  "ada lovelace@shop.test",
  "Ada <ada@shop.test>",
  "ada@shop.test, bob@shop.test",
  "ada@shop.test\nBcc: bob@shop.test",
  "ada\u0000@shop.test",
  `${"a".repeat(245)}@shop.test`,
  `${"a".repeat(10_000)}@shop.test`,
];

/** Characters for the middle of a name. White space at either end would be trimmed. */
const controls = ["\u0000", "\u0007", "\t", "\n", "\r\n", "\u001b[31m", "\u007f", "\u0085", "\u009b"];
const names = ["", " \t ", "a".repeat(101), ...controls.map((control) => `Ada${control}Lovelace`)];

const newPasswords = ["", "1234567", "x".repeat(129), "x".repeat(100_000)];
const anyPasswords = ["", "x".repeat(129)];
const refreshTokens = ["", "x".repeat(201)];

const cases: [route: string, path: string, values: unknown[]][] = [
  ["POST /orders", "items.0.product_id", [...ids.map(raw), ...strings]],
  ["POST /orders", "items.0.quantity", [...quantities.map(raw), ...strings]],
  ["POST /orders", "items.0.price", [...prices.map(raw), ...strings]],
  ["POST /cart", "product_id", [...ids.map(raw), ...strings]],
  ["POST /cart", "quantity", [...quantities.map(raw), ...strings]],
  ["PUT /cart/items/:id", "quantity", [...quantities.map(raw), ...strings]],
  ["POST /orders", "items", [[], Array(101).fill(line), Array(1_000).fill(line), Array(4_000).fill(null)]],
  ["POST /orders", "payment_method", ["", "cash", "WALLET", " wallet", "constructor"]],
  ["POST /orders", "customer", [{ email: "guest@shop.test", name: "Guest" }]],
  ["POST /orders with an API key", "payment_method", ["wallet"]],
  ["POST /orders", "shipping_address.zip", ["", "  ", "1".repeat(21)]],
  ["POST /orders", "shipping_address.address", ["", "a".repeat(201), "one\ntwo"]],
  ["POST /orders", "shipping_address.city", ["", "a".repeat(101), "Lon\u0000don"]],
  ["POST /auth/signup", "email", emails],
  ["POST /auth/signup", "name", names],
  ["POST /auth/signup", "password", newPasswords],
  ["POST /auth/login", "email", emails],
  ["POST /auth/login", "password", anyPasswords],
  ["POST /auth/refresh", "refresh_token", refreshTokens],
  ["POST /auth/forgot-password", "email", emails],
  ["POST /auth/reset-password", "token", refreshTokens],
  ["POST /auth/reset-password", "password", newPasswords],
  ["POST /auth/verify-email", "token", refreshTokens],
  ["POST /auth/revert-email", "token", refreshTokens],
  ["POST /auth/logout", "refresh_token", refreshTokens],
  ["PUT /account/profile", "email", emails],
  ["PUT /account/profile", "name", names],
  ["PUT /account/profile", "password", newPasswords],
  ["PUT /account/profile", "current_password", [...anyPasswords, "wrong password"]],
  ["POST /orders with an API key", "customer.email", emails],
  ["POST /orders with an API key", "customer.name", names],
  ["POST /orders", "shipping_address.name", names],
];

it.each(cases)("%s refuses each bad value of %s and writes nothing", async (route, path, values) => {
  const { line, as, body, rows } = await opened(route);
  const before = await rows();
  for (const value of values) {
    const answer = await call(line, { as, body: textOf(withField(body, path, value)) });
    expect(answer.status, nameOf(value)).toBe(400);
    expectRefusal(answer, 400, path);
  }
  expect(await rows()).toEqual(before);
});

const missing: [route: string, fields: string[]][] = [
  ["POST /orders", ["items", "payment_method"]],
  ["POST /cart", ["product_id"]],
  ["PUT /cart/items/:id", ["quantity"]],
  ["POST /auth/signup", ["email", "password", "name"]],
  ["POST /auth/login", ["email", "password"]],
  ["POST /auth/refresh", ["refresh_token"]],
  ["POST /auth/reset-password", ["token", "password"]],
  ["PUT /account/profile", ["body"]],
];

it.each(missing)("%s names every missing field", async (route, fields) => {
  const { line, as, rows } = await opened(route);
  const before = await rows();
  const answer = await call(line, { as, body: {} });
  for (const field of fields) expectRefusal(answer, 400, field);
  expect(Object.keys(answer.body.errors).toSorted()).toEqual(fields.toSorted());
  expect(await rows()).toEqual(before);
});

it.each(["role", "id", "wallet_balance", "created_at", "disabled_at"])(
  "lets nobody set %s of an account",
  async (field) => {
    for (const route of ["POST /auth/signup", "PUT /account/profile"]) {
      const { line, as, body, rows } = await opened(route);
      const before = await rows();
      expectRefusal(await call(line, { as, body: { ...body, [field]: "admin" } }), 400, field);
      expect(await rows()).toEqual(before);
    }
  },
);

it.each(["email", "password"])("changes no %s without the current password", async (field) => {
  const { line, as, body, rows } = await opened("PUT /account/profile");
  const before = await rows();
  expectRefusal(await call(line, { as, body: { [field]: body[field] } }), 400, "current_password");
  expect(await rows()).toEqual(before);
});

it("ends no session without a refresh token or a user token", async () => {
  for (const body of [{}, undefined]) expectRefusal(await call("POST /auth/logout", { body }), 400, "refresh_token");
});

it("accepts passwords of 8 and of 128 characters, whatever they consist of", async () => {
  for (const password of ["\u0000\n\t \ud800 😀!", "ß".repeat(128)]) {
    const { line, body } = await opened("POST /auth/signup");
    expect((await call(line, { body: { ...body, password } })).status).toBe(201);
    const { email } = body;
    expect((await call("POST /auth/login", { body: { email, password } })).status).toBe(200);
  }
});

it("accepts equal numbers in another notation", async () => {
  const { line, as, body } = await opened("POST /orders");
  const text = textOf(withField(withField(body, "items.0.price", raw("10.000")), "items.0.quantity", raw("20E-1")));
  const answer = await call(line, { as, body: text });
  expect([answer.status, answer.body.data?.total]).toEqual([201, 20]);
});

it("names exactly the wrong fields of a line item", async () => {
  const { line, as, body } = await opened("POST /orders");
  const items = [{ product_id: "1", quantity: 0, price: -1, colour: "red" }];
  const answer = await call(line, { as, body: { ...body, items } });
  const fields = ["items.0.colour", "items.0.price", "items.0.product_id", "items.0.quantity"];
  expect(Object.keys(answer.body.errors).toSorted()).toEqual(fields);
});

it("does not answer ten thousand mistakes with ten thousand messages", async () => {
  const { line, as } = await opened("POST /orders");
  const unknown = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field_${n}`, n]));
  const answer = await call(line, { as, body: unknown });
  expectRefusal(answer, 400);
  expect(Object.keys(answer.body.errors).length).toBeLessThanOrEqual(100);
});
