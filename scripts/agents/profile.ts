import { createServer } from "node:http";

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

/** Serves the profile of an agent until the process ends, and returns its URL. */
export async function serveProfile(): Promise<string> {
  const server = createServer((_, response) => response.end(profile));
  await new Promise<void>((ready) => server.listen(0, "localhost", ready));
  server.unref();
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://localhost:${address.port}/profile.json`;
}
