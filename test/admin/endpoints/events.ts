import type { AdminEndpoints } from "./endpoint.ts";

export const events: AdminEndpoints = {
  "GET /events": { permission: "events:read", status: 200, request: async () => ({ path: "/events" }) },
};
