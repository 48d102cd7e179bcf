import { describe, expect, it } from "vitest";
import { paymentMethods } from "../../src/domain/payment-methods.ts";
import { call } from "../support/call.ts";

import { aKey, aProduct, aUser, orderOf } from "../support/shop.ts";

describe("a machine-readable error", () => {
  const refusal = async (...request: Parameters<typeof call>) => {
    const { body } = await call(...request);
    return { code: body.code, details: body.details };
  };

  it("states the current price and the remaining stock, each at its field", async () => {
    const { token } = await aUser({ wallet: 100_000 });
    const product = await aProduct({ price: 1250, stock: 2 });
    const order = (quantity: number, price: number) =>
      refusal("POST /orders", {
        as: token,
        body: { ...orderOf(product), items: [{ product_id: product.id, quantity, price }] },
      });
    const price = { field: "items.0.price", code: "price_changed", price: 12.5 };
    const quantity = { field: "items.0.quantity", code: "insufficient_stock", available: 2 };
    expect(await order(1, 12)).toEqual({ code: "price_changed", details: [price] });
    expect(await order(3, 12.5)).toEqual({ code: "insufficient_stock", details: [quantity] });
    expect(await order(3, 12)).toEqual({ code: "validation_failed", details: [price, quantity] });
  });

  it("distinguishes missing from invalid fields, with the reason", async () => {
    const { key } = await aKey();
    const body = { items: [{ quantity: 0, price: 1.005, colour: "red" }], payment_method: "barter", customer: 7 };
    expect(await refusal("POST /orders", { as: key, body })).toEqual({
      code: "validation_failed",
      details: expect.arrayContaining([
        { field: "items.0.product_id", code: "required" },
        { field: "items.0.quantity", code: "too_small", limit: 1 },
        { field: "items.0.price", code: "too_precise" },
        { field: "items.0.colour", code: "unknown_field" },
        { field: "payment_method", code: "invalid_value", allowed: [...paymentMethods] },
        { field: "customer", code: "invalid_type", expected: "object" },
      ]),
    });
  });

  it("names only a field if the request as a whole is invalid", async () => {
    const { key } = await aKey();
    expect(await refusal("GET /products?per_page=101", { as: key })).toEqual({
      code: "validation_failed",
      details: [{ field: "per_page", code: "too_big", limit: 100 }],
    });
  });

  it("states the expected form of a body", async () => {
    const { key } = await aKey();
    const types = { field: "body", code: "unsupported_media_type", allowed: ["application/json"] };
    const headers = { "Content-Type": "text/plain" };
    expect(await refusal("POST /cart", { as: key, headers, body: "x" })).toMatchObject({ details: [types] });
    expect(await refusal("POST /cart", { as: key, body: "{" })).toMatchObject({ code: "invalid_json" });
    const long = { field: "body", code: "payload_too_large", limit: 1024 * 1024 };
    expect(await refusal("POST /cart", { as: key, body: { x: "x".repeat(2_000_000) } })).toMatchObject({
      details: [long],
    });
  });
});
