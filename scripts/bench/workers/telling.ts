import { counting, type Trips, type Work } from "../../../test/support/counting.ts";

type Fetch<Bindings> = (request: Request, env: Bindings, context: ExecutionContext) => Response | Promise<Response>;

export type Cost = Trips & Work;

/** The cost of the previous request. A streamed response's cost is known when it ends. */
let last = (): Cost | null => null;

/** The Worker with a header on each response that reports the request's cost. */
export const telling = <Bindings extends object>(fetch: Fetch<Bindings>) => ({
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === "/cost-of-last") return Response.json(last());
    const { bindings, trips, work } = counting(env);
    last = () => ({ ...trips, ...work });
    const answer = await fetch(request, bindings, context);
    const response = new Response(answer.body, answer);
    response.headers.set("X-Cost", JSON.stringify({ ...trips, ...work } satisfies Cost));
    return response;
  },
});
