import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook } from "@storefront-worker/api/client";

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, process.env.WEBHOOK_SECRET ?? "");
    console.log(event.id, event.type);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
});
server.listen(process.env.PORT ?? 3000, () => console.log("Listening"));
