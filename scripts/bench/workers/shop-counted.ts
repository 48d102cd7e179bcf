import { app } from "../../../src/app.ts";
import { isOrder } from "./floor-order.ts";
import { type Batch, recording } from "./recording.ts";
import { telling } from "./telling.ts";

// The Durable Objects are the Worker's own; its default export is not passed on.
export * from "../../../src/index.ts";

const shop = telling(app.fetch);

let lastOrder: Batch | null = null;

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === "/last-order") return Response.json(lastOrder);
    const DB = recording(env.DB, (batch) => {
      if (isOrder(batch)) lastOrder = batch;
    });
    return shop.fetch(request, { ...env, DB }, context);
  },
};
