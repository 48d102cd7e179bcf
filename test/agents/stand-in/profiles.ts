import { type Handler, ok } from "../../payments/stand-in/http.ts";

/** Profile of an agent with the capabilities of the protocol that a shop may share, at a version. */
const profileAt = (version: string) => ({
  ucp: {
    version,
    capabilities: Object.fromEntries([
      ...[
        "catalog.search",
        "catalog.lookup",
        "cart",
        "checkout",
        "order",
        "fulfillment",
        "discount",
        "buyer_consent",
      ].map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]),
      ["dev.ucp.common.identity_linking", [{ version }]],
    ]),
  },
});

/** Profiles of agents that do not sign. The address may name their version of the protocol. */
export const agentHandlers: Record<string, Handler> = {
  "GET /shoppers/(\\d{4}-\\d\\d-\\d\\d)?.*": (_, [version = "2026-04-08"]) => ({
    ...ok(profileAt(version)),
    headers: { "Cache-Control": "max-age=3600" },
  }),
};
