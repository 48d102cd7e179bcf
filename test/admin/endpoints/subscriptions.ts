import { aStoredSubscription } from "../../subscriptions/support.ts";
import type { AdminEndpoints } from "./endpoint.ts";

export const subscriptions: AdminEndpoints = {
  "GET /subscriptions": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: "/subscriptions?user_id=1&order_id=1" }),
  },
  "POST /subscriptions/:id/cancel": {
    permission: "orders:write",
    status: 200,
    request: async () => ({
      path: `/subscriptions/${(await aStoredSubscription()).id}/cancel`,
      body: { at_period_end: false },
    }),
  },
};
