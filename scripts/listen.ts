import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

/** Answers HTTP requests at a free port of this machine until it is closed, which also ends requests in progress. */
export async function listen(answer: RequestListener, host = "127.0.0.1") {
  const server = createServer(answer);
  await once(server.listen(0, host), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return {
    url: `http://${host}:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
