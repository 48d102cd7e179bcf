import type { AdminEndpoints } from "./endpoint.ts";

export const search: AdminEndpoints = {
  "GET /search": { permission: "products:read_all", status: 200, request: async () => ({ path: "/search?q=lamp" }) },
};
