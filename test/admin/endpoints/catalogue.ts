import { imageForm } from "../../support/images.ts";
import { money } from "../../support/money.ts";
import { aDiscount } from "../../support/pricing.ts";
import { aCategory, aFile, aProduct } from "../../support/shop.ts";
import { endpoints } from "./endpoint.ts";

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

const aNewDiscount = async () => {
  const n = ++made;
  return {
    name: `Made ${n}`,
    code: `MADE-${n}`,
    kind: "buy_x_get_y",
    percent: 50,
    amount: null,
    buy_quantity: 2,
    get_quantity: 1,
    product_ids: [(await aProduct()).id],
    category_ids: [(await aCategory(`Discounted ${n}`)).id],
    minimum_subtotal: 20,
    first_order_only: true,
    starts_at: "2026-01-01T00:00:00Z",
    ends_at: "2036-01-01T00:00:00Z",
    max_uses: 100,
    max_uses_per_customer: 1,
    combinable: false,
    priority: -1,
    enabled: true,
  };
};

const aManaged = () => aProduct({ stock: 7 });
const aSized = () => aProduct({ stock: null, options: [{ name: "Size", values: ["S", "M"] }] });
const aNewCategory = () => aCategory(`Made ${++made}`);

export const products = endpoints(
  { read: "products:read_all", write: "products:write" },
  {
    "GET /products": {},
    "POST /products": { body: aNewProduct },
    "GET /products/:id": { of: aProduct },
    "PUT /products/:id": { of: aManaged, body: aNewProduct },
    "DELETE /products/:id": { of: aManaged },
    "POST /products/:id/variants": {
      of: aSized,
      body: () => ({ option_values: [{ name: "Size", value: "S" }], sku: `SIZE-${++made}`, price: 12 }),
    },
    "GET /products/:id/stock": { of: aProduct },
    "POST /products/:id/stock": { of: aProduct, body: { delta: 5, reason: "Delivery" }, status: 200 },
    "POST /products/bulk-actions": {
      body: async () => ({
        ids: [(await aProduct()).id],
        change: { price_percent: 10, compare_at_price: "previous" },
      }),
    },
    "POST /products/batch": {
      body: async () => ({ items: [{ id: (await aProduct()).id, stock: { delta: 2, reason: "Delivery" } }] }),
      status: 200,
    },
    "POST /images": { body: imageForm },
    "GET /categories": {},
    "POST /categories": { body: () => ({ name: "Made", slug: `made-${++made}` }) },
    "GET /categories/:id": { of: aNewCategory },
    "PUT /categories/:id": { of: aNewCategory, body: () => ({ name: "Renamed", slug: `renamed-${made}` }) },
    "DELETE /categories/:id": { of: aNewCategory },
    "GET /search": { query: "?q=lamp" },
  },
);

export const discounts = endpoints(
  { read: "discounts:read", write: "discounts:write" },
  {
    "GET /discounts": { query: "?state=active&kind=percentage&search=code" },
    "POST /discounts": { body: aNewDiscount },
    "GET /discounts/:id": { of: aDiscount },
    "PUT /discounts/:id": { of: aDiscount, body: aNewDiscount },
    "DELETE /discounts/:id": { of: aDiscount },
    "GET /discounts/:id/redemptions": { of: aDiscount, permission: "orders:read" },
  },
);
