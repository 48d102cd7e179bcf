import { counting, type Trips, type Work } from "../../../test/support/counting.ts";

type Fetch<Bindings> = (request: Request, env: Bindings, context: ExecutionContext) => Response | Promise<Response>;

export type Cost = Trips & Work;

/** The Worker with a header on every answer that says what the request cost. */
export const telling = <Bindings extends object>(fetch: Fetch<Bindings>) => ({
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    const { bindings, trips, work } = counting(env);
    const answer = await fetch(request, bindings, context);
    const response = new Response(answer.body, answer);
    response.headers.set("X-Cost", JSON.stringify({ ...trips, ...work } satisfies Cost));
    return response;
  },
});
