import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { aKey, aProduct, db, someProducts } from "../support/shop.ts";

type Line = [product: { id: number }, quantity: number];

/** A guest's cart with these lines. Returns its token. */
async function aGuestCart(lines: Line[]): Promise<string> {
  const { key } = await aKey();
  let token: string | undefined;
  for (const [{ id }, quantity] of lines) {
    const headers = token === undefined ? {} : { "X-Cart-Token": token };
    const { body } = await call("POST /cart", { as: key, body: { product_id: id, quantity }, headers });
    token = body.data.token;
  }
  if (token === undefined) throw new Error("a guest cart needs a line");
  return token;
}

async function aUserWith(lines: Line[]) {
  const account = await anAccount();
  for (const [{ id }, quantity] of lines) {
    await call("POST /cart", { as: account.token, body: { product_id: id, quantity } });
  }
  return account;
}

const logIn = (email: string, cart_token?: string) =>
  call("POST /auth/login", { body: { email, password: PASSWORD, cart_token } });

const linesOf = async (as: string) =>
  (await call("GET /cart", { as })).body.data.items.map((line: { product_id: number; quantity: number }) => [
    line.product_id,
    line.quantity,
  ]);

it("adds a guest's lines to the user's at login, once, and reports what did not fit", async () => {
  const [shared, scarce, mine, theirs] = [
    await aProduct(),
    await aProduct({ name: "Scarce", stock: 5 }),
    await aProduct(),
    await aProduct(),
  ];
  const { email, token } = await aUserWith([
    [shared, 2],
    [scarce, 3],
    [mine, 1],
  ]);
  const cartToken = await aGuestCart([
    [shared, 1],
    [scarce, 4],
    [theirs, 2],
  ]);
  const { status, body } = await logIn(email, cartToken);
  expect(status).toBe(200);
  expect(body.data.cart_merge).toEqual({
    merged_items: 3,
    differences: [{ product_id: scarce.id, name: "Scarce", requested: 7, quantity: 5 }],
  });
  const merged = [
    [shared.id, 3],
    [scarce.id, 5],
    [mine.id, 1],
    [theirs.id, 2],
  ];
  expect(await linesOf(token)).toEqual(merged);
  expect((await logIn(email, cartToken)).body.data.cart_merge).toBeNull();
  expect(await linesOf(token)).toEqual(merged);
  const { key } = await aKey();
  expect((await call("GET /cart", { as: key, headers: { "X-Cart-Token": cartToken } })).status).toBe(404);
});

it("gives a new account the guest's cart", async () => {
  const product = await aProduct();
  const cart_token = await aGuestCart([[product, 3]]);
  const signup = { email: "merge@shop.test", password: PASSWORD, name: "Merge", cart_token };
  const { body } = await call("POST /auth/signup", { body: signup });
  expect(body.data.cart_merge).toEqual({ merged_items: 1, differences: [] });
  expect(await linesOf(body.data.token)).toEqual([[product.id, 3]]);
});

it("merges once when two logins send the same cart at the same moment", async () => {
  const product = await aProduct();
  const { email, token } = await aUserWith([]);
  const cartToken = await aGuestCart([[product, 2]]);
  const answers = await Promise.all([logIn(email, cartToken), logIn(email, cartToken)]);
  expect(answers.filter(({ body }) => body.data.cart_merge !== null)).toHaveLength(1);
  expect(await linesOf(token)).toEqual([[product.id, 2]]);
});

it("leaves out products that are no longer for sale, and says so", async () => {
  const [gone, sold] = [await aProduct({ name: "Gone" }), await aProduct({ name: "Sold", stock: 1 })];
  const { email, token } = await aUserWith([]);
  const cartToken = await aGuestCart([
    [gone, 1],
    [sold, 1],
  ]);
  await db.update(tables.products).set({ status: "draft" }).where(eq(tables.products.id, gone.id));
  await db.update(tables.products).set({ stockQuantity: 0 }).where(eq(tables.products.id, sold.id));
  const { body } = await logIn(email, cartToken);
  expect(body.data.cart_merge).toEqual({
    merged_items: 0,
    differences: [
      { product_id: gone.id, name: "Gone", requested: 1, quantity: 0 },
      { product_id: sold.id, name: "Sold", requested: 1, quantity: 0 },
    ],
  });
  expect(await linesOf(token)).toEqual([]);
});

it("fills a cart up to 100 lines and no further", async () => {
  const products = await someProducts(102);
  const { id, email, token } = await aUserWith([]);
  const now = Date.now();
  const [cart] = await db.insert(tables.carts).values({ userId: id, updatedAt: now }).returning();
  for (const product of products.slice(0, 99)) {
    await db
      .insert(tables.cartItems)
      .values({ cartId: cart?.id ?? 0, productId: product.id, quantity: 1, seenPrice: 1000 });
  }
  const [known, fits, tooMany] = [products[0], products[100], products[101]];
  if (!known || !fits || !tooMany) throw new Error("there are 102 products");
  const cartToken = await aGuestCart([
    [known, 1],
    [fits, 1],
    [tooMany, 1],
  ]);
  const { body } = await logIn(email, cartToken);
  expect(body.data.cart_merge).toMatchObject({
    merged_items: 2,
    differences: [{ product_id: tooMany.id, quantity: 0 }],
  });
  const lines = await linesOf(token);
  expect(lines).toHaveLength(100);
  expect(lines[0]).toEqual([known.id, 2]);
});

it("signs in even if the token names no cart, and refuses one that cannot be a token", async () => {
  const { email } = await aUserWith([]);
  const { status, body } = await logIn(email, `sfc_${"x".repeat(43)}`);
  expect([status, body.data.cart_merge]).toEqual([200, null]);
  const malformed = await logIn(email, "nonsense");
  expect([malformed.status, malformed.body.errors]).toEqual([400, { cart_token: ["is not a cart token"] }]);
});
