import { boughtGiftCards } from "../../support/gift-cards.ts";
import { money } from "../../support/money.ts";
import { onPurpose } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

export const giftCards: AdminEndpoints = {
  "GET /gift-cards": {
    permission: "orders:read",
    status: 200,
    request: async () => ({ path: "/gift-cards?code_start=GIFT-0000-0000-0000&order_id=1&status=active" }),
  },
  "POST /gift-cards": {
    permission: "payments:write",
    status: 201,
    request: async () => ({
      path: "/gift-cards",
      body: { value: money(12.5), reason: "Goodwill" },
      headers: onPurpose(),
    }),
  },
  "DELETE /gift-cards/:id": {
    permission: "payments:write",
    status: 204,
    request: async () => ({ path: `/gift-cards/${(await boughtGiftCards()).cards[0].id}` }),
  },
};
