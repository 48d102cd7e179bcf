import { StorefrontError } from "./error.ts";
import type { Api, Call, Each, HttpMethod } from "./types.ts";

type CallOptions = { params?: { query?: object }; body?: unknown; signal?: AbortSignal };
type Envelope = { data?: unknown; response: Response };

/** One function per HTTP method. It returns the response envelope and throws on any error. */
export type Calls = {
  GET: Call<"get">;
  PUT: Call<"put">;
  POST: Call<"post">;
  DELETE: Call<"delete">;
  /** Iterates over the rows of a list. Each page is requested when the previous one is used up. */
  each: Each;
};

export function callsOf(api: Api): Calls {
  const call = (method: HttpMethod) => sending(api, method);
  const GET = call("get");
  // The types in types.ts derive parameters and results from the path; the compiler cannot follow that through one function
  // for all paths.
  return { GET, PUT: call("put"), POST: call("post"), DELETE: call("delete"), each: eachOf(GET) } as Calls;
}

type UntypedCall = (path: string, sent?: CallOptions) => Promise<Envelope>;

const sending =
  (api: Api, method: HttpMethod): UntypedCall =>
  async (path, { body, ...sent } = {}) => {
    const bytes = body instanceof Blob && { headers: { "Content-Type": "application/octet-stream" } };
    const { data, error, response } = await api.request(method, path as never, { ...sent, ...bytes, body } as never);
    if (!response.ok) throw new StorefrontError(response, error);
    return { data: undefined, ...(data as object | undefined), response };
  };

/** Rows per page: the maximum, for the fewest requests. */
const PER_PAGE = 100;

const eachOf = (GET: UntypedCall) =>
  async function* each(path: string, sent: CallOptions = {}): AsyncGenerator<unknown, void> {
    for (let place: object | null = {}; place !== null; ) {
      const query = { per_page: PER_PAGE, ...sent.params?.query, ...place };
      const { data, response } = await GET(path, { ...sent, params: { ...sent.params, query } });
      yield* data as unknown[];
      place = nextPlace(response);
    }
  };

/** Query parameters of the next rows, by page or by cursor. Null at the end of the list. */
function nextPlace({ headers }: Response): object | null {
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
  if (next === undefined) return null;
  const { searchParams } = new URL(next);
  return Object.fromEntries(
    ["page", "after_id", "updated_since"].flatMap((name) => {
      const value = searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
