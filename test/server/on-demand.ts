import { listen } from "../../scripts/listen.ts";

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
  const server = await listen((request, response) => {
    open((request.url ?? "").slice(1)).then(
      ({ found }) => response.end(JSON.stringify(found)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  return {
    url: server.url,
    close: async () => {
      server.close();
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
