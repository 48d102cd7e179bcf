import type { Client, ClientPathsWithMethod, MethodResponse, ParamsOption, RequestBodyOption } from "openapi-fetch";
import type { components, paths } from "./schema.ts";

/** The API's schemas by name: `Schema["Product"]`. */
export type Schema = components["schemas"];

export type Api = Client<paths>;

export type HttpMethod = "get" | "put" | "post" | "delete";

/** This route redirects to bytes; use `download`. */
type Bytes = "/api/v1/user/downloads";

type Path<M extends HttpMethod> = Exclude<ClientPathsWithMethod<Api, M>, Bytes>;

/** Excludes `fields`, so that responses are complete, as their types say. */
type Whole = { params?: { query?: { fields?: never } } };

/** Parameters and body of a call to a route. `parseAs: "stream"` leaves the body of a file to `response`. */
type TypedRequest<M extends HttpMethod, P extends Path<M>> = ParamsOption<paths[P][M]> &
  RequestBodyOption<paths[P][M]> & { signal?: AbortSignal | undefined; parseAs?: "stream" } & Whole;

type Arguments<S> = Record<never, never> extends S ? [sent?: S] : [sent: S];

/** The response of a route without the partial records of `fields`. */
type Body<M extends HttpMethod, P extends Path<M>> = WholeData<MethodResponse<Api, M, P>>;
type Part = Schema["ProductPart"];
type WholeData<Answer> = Answer extends { data: infer Data }
  ? Omit<Answer, "data"> & { data: Data extends (infer Row)[] ? WholeRecord<Row>[] : WholeRecord<Data> }
  : Answer;
type WholeRecord<Data> = Data extends unknown ? (Part extends Data ? never : Data) : never;

/** The envelope of a success with the response, for its status and headers. */
type TypedResponse<M extends HttpMethod, P extends Path<M>> = { response: Response } & ([Body<M, P>] extends [never]
  ? { data: undefined }
  : Body<M, P>);

export type Call<M extends HttpMethod> = <P extends Path<M>>(
  path: P,
  ...sent: Arguments<TypedRequest<M, P>>
) => Promise<TypedResponse<M, P>>;

/** Routes that return lists, with the type of their rows. */
type ListPath = {
  [P in Path<"get">]: Body<"get", P> extends { pagination: unknown } ? P : never;
}[Path<"get">];

type Row<P extends ListPath> = Body<"get", P> extends { data: (infer R)[] } ? R : never;

export type Each = <P extends ListPath>(
  path: P,
  ...sent: Arguments<TypedRequest<"get", P>>
) => AsyncGenerator<Row<P>, void>;
