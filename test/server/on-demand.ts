import { createServer } from "node:http";

/** A shop or example shared by test files, and the function that closes it. */
export type Opened<Found> = { found: Found; close: () => void | Promise<void> };

/**
 * Opens a shared shop or example when the first test file requests it, and closes all after the last file. Test files
 * run in separate processes, so they request it over HTTP.
 */
export async function serveOnDemand(openers: Record<string, () => Promise<Opened<unknown>>>) {
  const opened = new Map<string, Promise<Opened<unknown>>>();
  const open = (name: string): Promise<Opened<unknown>> => {
    const opens = opened.get(name) ?? openers[name]?.() ?? Promise.reject(new Error(`Nothing is called ${name}`));
    opened.set(name, opens);
    return opens;
  };
  const server = createServer((request, response) => {
    open((request.url ?? "").slice(1)).then(
      ({ found }) => response.end(JSON.stringify(found)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const opens of opened.values()) await opens.then(({ close }) => close()).catch(() => {});
    },
  };
}

/** Returns the shared shop or example with this name. Opens it on the first request. */
export async function demand<Found>(url: string, name: string): Promise<Found> {
  const response = await fetch(`${url}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return response.json() as Promise<Found>;
}
