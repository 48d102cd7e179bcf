import type { AdminEndpoints } from "./endpoint.ts";

export const audit: AdminEndpoints = {
  "GET /audit-log": { permission: null, status: 200, request: async () => ({ path: "/audit-log" }) },
  "GET /health": { permission: "metrics:read", status: 200, request: async () => ({ path: "/health" }) },
  "GET /failed-items": { permission: null, status: 200, request: async () => ({ path: "/failed-items" }) },
};
