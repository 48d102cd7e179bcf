import { type Handler, ok } from "../../payments/stand-in/http.ts";

const version = "2026-04-08";

/** Profile of an agent with the capabilities of the protocol that a shop may share. */
const profile = {
  ucp: {
    version,
    capabilities: Object.fromEntries(
      ["catalog.search", "catalog.lookup", "cart", "checkout", "order", "fulfillment", "discount", "buyer_consent"].map(
        (name) => [`dev.ucp.shopping.${name}`, [{ version }]],
      ),
    ),
  },
};

/** Profiles of agents that do not sign. */
export const agentHandlers: Record<string, Handler> = {
  "GET /shoppers/.+": () => ({ ...ok(profile), headers: { "Cache-Control": "max-age=3600" } }),
};
