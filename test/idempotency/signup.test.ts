import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { users } from "../../src/platform/db/schema.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, db } from "../support/shop.ts";

let made = 0;
const aSignup = (more: object = {}) => ({
  email: `kept-${++made}@shop.test`,
  password: "a battery of horses",
  name: "Kept",
  ...more,
});

const signUp = (body: object, key: string) => call("POST /auth/signup", { body, headers: { "Idempotency-Key": key } });

it("gives the tokens of a sign-up to nobody who guesses its key but not its password", async () => {
  const body = aSignup();
  const { status } = await signUp(body, "1");
  expect(status).toBe(201);
  const guessed = await signUp({ ...body, password: "another battery" }, "1");
  expect([guessed.status, guessed.body.data]).toEqual([409, undefined]);
});

it("returns a valid session", async () => {
  const body = aSignup();
  await signUp(body, "lives");
  const { data } = (await signUp(body, "lives")).body;
  expect((await call("GET /account/profile", { as: data.token })).body.data.email).toBe(body.email);
  expect((await call("POST /auth/refresh", { body: { refresh_token: data.refresh_token } })).status).toBe(200);
});

it("separates people who chose the same key: neither prevents the other's sign-up", async () => {
  const [one, other] = [aSignup(), aSignup()];
  const [first, second] = [await signUp(one, "shared"), await signUp(other, "shared")];
  expect([first.body.data.user.email, second.body.data.user.email]).toEqual([one.email, other.email]);
});

it("repeats the result of merging the guest cart", async () => {
  const product = await aProduct();
  const cart = await call("POST /cart", { as: (await aKey()).key, body: { product_id: product.id } });
  const body = aSignup({ cart_token: cart.body.data.token });
  const first = await signUp(body, "cart");
  expect(first.body.data.cart_merge).toMatchObject({ merged_items: 1 });
  expect((await signUp(body, "cart")).body).toEqual(first.body);
});

it("is not remembered if it is refused", async () => {
  const taken = aSignup();
  await signUp(taken, "first");
  expect((await signUp({ ...taken, name: "Somebody else" }, "second")).status).toBe(400);
  await db.delete(users).where(eq(users.email, taken.email));
  expect((await signUp({ ...taken, name: "Somebody else" }, "second")).status).toBe(201);
});
