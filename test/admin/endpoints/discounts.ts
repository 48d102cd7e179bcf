import { aDiscount } from "../../support/pricing.ts";
import { aCategory, aProduct } from "../../support/shop.ts";
import type { AdminEndpoint, AdminEndpoints } from "./endpoint.ts";

const reads = { permission: "discounts:read", status: 200 } satisfies Partial<AdminEndpoint>;
const writes = { permission: "discounts:write", status: 200 } satisfies Partial<AdminEndpoint>;

let made = 0;

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

const anId = async () => (await aDiscount()).id;

export const discounts: AdminEndpoints = {
  "GET /discounts": {
    ...reads,
    request: async () => ({ path: "/discounts?state=active&kind=percentage&search=code" }),
  },
  "POST /discounts": {
    ...writes,
    status: 201,
    request: async () => ({ path: "/discounts", body: await aNewDiscount() }),
  },
  "GET /discounts/:id": { ...reads, request: async () => ({ path: `/discounts/${await anId()}` }) },
  "PUT /discounts/:id": {
    ...writes,
    request: async () => ({ path: `/discounts/${await anId()}`, body: await aNewDiscount() }),
  },
  "DELETE /discounts/:id": { ...writes, status: 204, request: async () => ({ path: `/discounts/${await anId()}` }) },
  "GET /discounts/:id/redemptions": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: `/discounts/${await anId()}/redemptions` }),
  },
};
