import { app } from "../../../src/app.ts";
import { recording, type Statement } from "./recording.ts";
import { telling } from "./telling.ts";

// The Durable Objects are the Worker's own; its default export is not passed on.
export * from "../../../src/index.ts";

const shop = telling(app.fetch);

let lastBatch: Statement[] = [];

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === "/last-batch") return Response.json(lastBatch);
    const DB = recording(env.DB, (batch) => {
      lastBatch = batch;
    });
    return shop.fetch(request, { ...env, DB }, context);
  },
};
