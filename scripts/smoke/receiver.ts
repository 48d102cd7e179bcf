import { once } from "node:events";
import { createServer } from "node:http";

/** A local server that accepts every webhook. */
export async function openReceiver(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}
