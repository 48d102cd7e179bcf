import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ApiError } from "../../domain/errors.ts";
import { linkHeader, type Page } from "./pagination.ts";
import type { Answer, ResponseVariables } from "./route-description.ts";
import { withResourceMetadata } from "./token-resources.ts";

// Every body except file contents is written here, in the shape declared on the route's line.

/** The Context of a route that declares this kind of response. */
type ResponseContext<Kind extends Answer["kind"], Data> = Pick<Context, "json" | "body" | "header"> & {
  req: { url: string };
  var: ResponseVariables<Kind, Data>;
};

const success = (message: string, data: unknown) => ({ status: "success", message, data }) as const;

export const ok = <Data>(c: ResponseContext<"one", Data>, message: string, data: NoInfer<Data>) =>
  c.json(success(message, data), 200);

/** `location` is the URL of the created resource. */
export const created = <Data>(
  c: ResponseContext<"created", Data>,
  location: `/api/v1/${string}` | `/images/${string}`,
  message: string,
  data: NoInfer<Data>,
) => c.json(success(message, data), 201, { Location: location });

export const noContent = (c: ResponseContext<"nothing", null>) => c.body(null, 204);

/** A page of a list with pagination and links to its neighbours. */
export function list<Row, Stored>(
  c: ResponseContext<"list", Row>,
  message: string,
  { rows, ...page }: Page & { rows: Stored[] },
  toRow: (row: Stored) => NoInfer<Row>,
) {
  c.header("Link", linkHeader(c.req.url, page));
  const pagination = {
    current_page: page.page,
    total_pages: Math.ceil(page.totalItems / page.perPage),
    total_items: page.totalItems,
    total_items_exact: page.totalIsExact,
  };
  return c.json(
    {
      ...success(
        message,
        rows.map((row) => toRow(row)),
      ),
      pagination,
    },
    200,
  );
}

export const failure = (c: Context, { status, message, code, errors, details, headers }: ApiError) =>
  c.json(
    { status: "error", message, code, errors, details },
    status as ContentfulStatusCode,
    withResourceMetadata(headers, c.req.url),
  );
