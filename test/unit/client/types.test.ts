import { expectTypeOf, it } from "vitest";
import { createStorefront, type Schema, type WebhookEvent } from "../../../src/client/index.ts";

const shop = createStorefront({ baseUrl: "https://shop.example" });

// Only the compiler tests this file: nothing in it is ever called.

it("has the response of each route, and the items of its lists", () => {
  const products = () => shop.GET("/api/v1/user/products", { params: { query: { sort: "-price" } } });
  expectTypeOf(products).returns.resolves.toHaveProperty("data").toEqualTypeOf<Schema["Product"][]>();
  const emptied = () => shop.DELETE("/api/v1/user/cart");
  expectTypeOf(emptied).returns.resolves.toHaveProperty("data").toEqualTypeOf<undefined>();
  const orders = () => shop.each("/api/v1/admin/orders").next();
  expectTypeOf(orders)
    .returns.resolves.exclude<{ done: true }>()
    .toHaveProperty("value")
    .toEqualTypeOf<Schema["Order"]>();
});

it("does not compile with an unknown route, parameter, field or value", () => {
  const wrong = [
    // @ts-expect-error: there is no such route
    () => shop.GET("/api/v1/user/product"),
    // @ts-expect-error: nor does it take this method
    () => shop.PUT("/api/v1/user/products", { body: {} }),
    // @ts-expect-error: a path has its parameters
    () => shop.GET("/api/v1/user/products/{id}"),
    // @ts-expect-error: the filter is called search
    () => shop.GET("/api/v1/user/products", { params: { query: { serach: "satchel" } } }),
    // @ts-expect-error: an answer is what its type says, whole
    () => shop.GET("/api/v1/user/products", { params: { query: { fields: "id" } } }),
    // @ts-expect-error: the field is called quantity
    () => shop.POST("/api/v1/user/cart", { body: { product_id: 1, quantitty: 2 } }),
    // @ts-expect-error: a number is a number
    () => shop.POST("/api/v1/user/cart", { body: { product_id: "1" } }),
    // @ts-expect-error: only lists have rows
    () => shop.each("/api/v1/user/cart"),
    // @ts-expect-error: bytes are what download is for
    () => shop.GET("/api/v1/user/downloads", { params: { query: { token: "x" } } }),
  ];
  expectTypeOf(wrong).toBeArray();
});

it("has the data of a webhook event, by its type", () => {
  expectTypeOf<Extract<WebhookEvent, { type: "product.updated" }>["data"]>()
    .toHaveProperty("product_id")
    .toEqualTypeOf<number>();
  expectTypeOf<WebhookEvent["type"]>().extract<"order.paid" | "order.payed">().toEqualTypeOf<"order.paid">();
  expectTypeOf<WebhookEvent>().toHaveProperty("id").toEqualTypeOf<string>();
});
