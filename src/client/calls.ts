import { StorefrontError } from "./error.ts";
import type { Api, Call, Each, Method } from "./types.ts";

type Untyped = { params?: { query?: object }; body?: unknown; signal?: AbortSignal };
type Envelope = { data?: unknown; pagination?: { total_pages: number }; response: Response };

/** A call of each method: what it answers is the envelope, and whatever is no success is thrown. */
export type Calls = {
  GET: Call<"get">;
  PUT: Call<"put">;
  POST: Call<"post">;
  DELETE: Call<"delete">;
  /** The rows of a list, one page after the other, each asked for when the one before is used up. */
  each: Each;
};

export function callsOf(api: Api): Calls {
  const call = (method: Method) => sending(api, method);
  const GET = call("get");
  // What is sent and answered follows from the path, by types.ts; no compiler follows that through a function of all paths.
  return { GET, PUT: call("put"), POST: call("post"), DELETE: call("delete"), each: eachOf(GET) } as Calls;
}

type UntypedCall = (path: string, sent?: Untyped) => Promise<Envelope>;

const sending =
  (api: Api, method: Method): UntypedCall =>
  async (path, { body, ...sent } = {}) => {
    const bytes = body instanceof Blob && { headers: { "Content-Type": "application/octet-stream" } };
    const { data, error, response } = await api.request(method, path as never, { ...sent, ...bytes, body } as never);
    if (!response.ok) throw new StorefrontError(response, error);
    return { data: undefined, ...(data as object | undefined), response };
  };

/** Rows of a page: the most that a page may have, which takes the fewest requests. */
const PER_PAGE = 100;

const eachOf = (GET: UntypedCall) =>
  async function* each(path: string, sent: Untyped = {}): AsyncGenerator<unknown, void> {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { per_page: PER_PAGE, ...sent.params?.query, page };
      const { data, pagination } = await GET(path, { ...sent, params: { ...sent.params, query } });
      yield* data as unknown[];
      pages = pagination?.total_pages ?? 0;
    }
  };
