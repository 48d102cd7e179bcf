import { imageForm } from "../../support/images.ts";
import { money } from "../../support/money.ts";
import { aCategory, aFile, aProduct } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

let made = 0;

const aNewProduct = async () => {
  const n = ++made;
  return {
    name: `Made ${n}`,
    sku: `MADE-${n}`,
    slug: `made-${n}`,
    type: "physical",
    status: "active",
    description: "Made by a test",
    price: money(12.5),
    compare_at_price: money(15),
    category_id: (await aCategory(`Made ${n}`)).id,
    images: [{ url: "/images/made.svg", alt: "Made" }],
    requires_shipping: true,
    manage_stock: true,
    stock_quantity: 7,
    file_ids: [(await aFile()).id],
    download_limit: 3,
    download_days: 30,
    metadata: { colour: "red" },
  };
};

export const products: AdminEndpoints = {
  "GET /products": { permission: "products:read_all", status: 200, request: async () => ({ path: "/products" }) },
  "POST /products": {
    permission: "products:write",
    status: 201,
    request: async () => ({ path: "/products", body: await aNewProduct() }),
  },
  "GET /products/:id": {
    permission: "products:read_all",
    status: 200,
    request: async () => ({ path: `/products/${(await aProduct()).id}` }),
  },
  "PUT /products/:id": {
    permission: "products:write",
    status: 200,
    request: async () => ({ path: `/products/${(await aProduct({ stock: 7 })).id}`, body: await aNewProduct() }),
  },
  "DELETE /products/:id": {
    permission: "products:write",
    status: 204,
    request: async () => ({ path: `/products/${(await aProduct({ stock: 7 })).id}` }),
  },
  "POST /products/:id/variants": {
    permission: "products:write",
    status: 201,
    request: async () => ({
      path: `/products/${(await aProduct({ stock: null, options: [{ name: "Size", values: ["S", "M"] }] })).id}/variants`,
      body: { option_values: [{ name: "Size", value: "S" }], sku: `SIZE-${++made}`, price: 12 },
    }),
  },
  "GET /products/:id/stock": {
    permission: "products:read_all",
    status: 200,
    request: async () => ({ path: `/products/${(await aProduct()).id}/stock` }),
  },
  "POST /products/:id/stock": {
    permission: "products:write",
    status: 200,
    request: async () => ({ path: `/products/${(await aProduct()).id}/stock`, body: { delta: 5, reason: "Delivery" } }),
  },
  "POST /images": {
    permission: "products:write",
    status: 201,
    request: async () => ({ path: "/images", body: imageForm() }),
  },
  "GET /categories": { permission: "products:read_all", status: 200, request: async () => ({ path: "/categories" }) },
  "POST /categories": {
    permission: "products:write",
    status: 201,
    request: async () => ({ path: "/categories", body: { name: "Made", slug: `made-${++made}` } }),
  },
  "GET /categories/:id": {
    permission: "products:read_all",
    status: 200,
    request: async () => ({ path: `/categories/${(await aCategory(`Made ${++made}`)).id}` }),
  },
  "PUT /categories/:id": {
    permission: "products:write",
    status: 200,
    request: async () => ({
      path: `/categories/${(await aCategory(`Made ${++made}`)).id}`,
      body: { name: "Renamed", slug: `renamed-${made}` },
    }),
  },
  "DELETE /categories/:id": {
    permission: "products:write",
    status: 204,
    request: async () => ({ path: `/categories/${(await aCategory(`Made ${++made}`)).id}` }),
  },
};
