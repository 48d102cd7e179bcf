import { aKey } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

const fields = {
  name: "Storefront",
  permissions: ["products:read", "orders:write"],
  tier: "premium",
  expires_at: "2999-01-31T12:00:00Z",
};

export const apiKeys: AdminEndpoints = {
  "GET /api-keys": { permission: null, status: 200, request: async () => ({ path: "/api-keys" }) },
  "POST /api-keys": { permission: null, status: 201, request: async () => ({ path: "/api-keys", body: fields }) },
  "GET /api-keys/:id": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/api-keys/${(await aKey()).id}` }),
  },
  "PUT /api-keys/:id": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/api-keys/${(await aKey()).id}`, body: fields }),
  },
  "DELETE /api-keys/:id": {
    permission: null,
    status: 204,
    request: async () => ({ path: `/api-keys/${(await aKey()).id}` }),
  },
  "POST /api-keys/:id/rotate": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/api-keys/${(await aKey()).id}/rotate`, body: { grace_seconds: 60 } }),
  },
  "GET /api-keys/:id/usage": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/api-keys/${(await aKey()).id}/usage` }),
  },
  "GET /api-keys/:id/requests": {
    permission: null,
    status: 200,
    request: async () => ({ path: `/api-keys/${(await aKey()).id}/requests` }),
  },
};
