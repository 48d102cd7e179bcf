import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { expectRefusal } from "../support/refusal.ts";
import { aKey, aProduct, aUser } from "../support/shop.ts";

const setUp = async () => {
  const sold = {
    name: "Oak Lamp",
    sku: `LAMP-${crypto.randomUUID()}`,
    price: 4500,
    images: [{ url: "/images/oak.svg", alt: "Oak" }],
  };
  const product = await aProduct(sold);
  const [admin, shopper] = [(await aUser({ role: "admin" })).token, (await aUser()).token];
  const { body } = await call("POST /cart", { as: shopper, body: { product_id: product.id, quantity: 2 } });
  const change = async (fields: Record<string, unknown>) => {
    const answer = await call(`PUT /admin/products/${product.id}`, { as: admin, body: fields });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const line = async (as = shopper) => (await call("GET /cart", { as })).body.data.items[0];
  return { product, admin, shopper, change, line, itemId: body.data.items[0].id };
};

const secret = {
  name: "Gold Lamp, for the gala",
  sku: "SECRET",
  price: 99,
  images: [{ url: "/images/gold.svg", alt: "" }],
};

it("shows a product that became a draft as it was last on sale", async () => {
  const { product, change, line, shopper } = await setUp();
  await change({ price: 46, name: "Oak Lamp II" });
  await change({ status: "draft", ...secret, sku: `SECRET-${product.id}` });
  await change({ price: 120, type: "service" });
  expect(await line()).toMatchObject({
    name: "Oak Lamp II",
    sku: product.sku,
    type: "physical",
    unit_price: 46,
    line_total: 92,
    image_url: "https://shop.test/images/oak.svg",
    price_changed: true,
    available_quantity: 0,
    issues: ["not_for_sale"],
  });
  expect((await call("GET /cart", { as: shopper })).body.data.subtotal).toBe(92);
});

it("reveals nothing of the draft when its line is changed", async () => {
  const { product, change, shopper, itemId } = await setUp();
  await change({ status: "draft", ...secret, sku: `SECRET-${product.id}` });
  const answer = await call(`PUT /cart/items/${itemId}`, { as: shopper, body: { quantity: 1 } });
  expectRefusal(answer, 400, "quantity");
  expect(JSON.stringify(answer.body)).toContain("Oak Lamp");
  expect(JSON.stringify(answer.body)).not.toContain("Gold");
});

it("shows it as it is once it is on sale again, even if it was withdrawn twice", async () => {
  const { product, change, line } = await setUp();
  await change({ status: "draft", ...secret, sku: `SECRET-${product.id}` });
  await change({ status: "active" });
  expect(await line()).toMatchObject({ name: secret.name, unit_price: 99, issues: [] });
  await change({ status: "draft", name: "Silver Lamp" });
  expect((await line()).name).toBe(secret.name);
});

it("gives the same answer to a key that sees drafts, and lets a withdrawn product be deleted", async () => {
  const { product, admin, change } = await setUp();
  const { key } = await aKey();
  const guest = await call("POST /cart", { as: key, body: { product_id: product.id } });
  const headers = { "X-Cart-Token": guest.body.data.token };
  await change({ status: "draft", name: secret.name });
  expect((await call("GET /cart", { as: key, headers })).body.data.items[0].name).toBe("Oak Lamp");
  expect((await call(`DELETE /admin/products/${product.id}`, { as: admin })).status).toBe(204);
  expect((await call("GET /cart", { as: key, headers })).body.data.items).toEqual([]);
});
