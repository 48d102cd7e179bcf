import { listen } from "../listen.ts";

const version = "2026-04-08";

const profile = JSON.stringify({
  ucp: {
    version,
    capabilities: Object.fromEntries(
      ["catalog.search", "catalog.lookup", "cart", "checkout", "order", "fulfillment"].map((name) => [
        `dev.ucp.shopping.${name}`,
        [{ version }],
      ]),
    ),
  },
});

/** Serves the profile of an agent. */
export const serveProfile = () => listen((_, response) => response.end(profile), "localhost");
