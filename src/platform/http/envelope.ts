import type { Context, MiddlewareHandler, ValidationTargets } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { type ApiError, conflict, preconditionFailed } from "../../domain/errors.ts";
import { linkHeader, type Page } from "./pagination.ts";

// Each middleware on a route's line describes itself. The OpenAPI document is generated only from these descriptions, so it
// cannot promise anything that a route does not do: see scripts/openapi.

/** Allowed callers of a route. */
type Access = {
  /** Permission required of API keys. Null if keys are not allowed. */
  permission: string | null;
  /** Additional permission required if the request moves money. */
  whereMoneyMoves?: string | undefined;
  /** All users, or those with one of these roles. */
  users: "everybody" | readonly string[];
  /** True if callers without a credential are allowed, at least in some deployments. */
  anonymous: boolean;
};

/** Headers of a route's response beside those of every response. */
export type AnswerHeader = "ETag" | "X-Cart-Token";

/** A route's success response. */
export type Answer = {
  kind: "one" | "list" | "created" | "nothing";
  /** Stable name of the route for clients. It stays when the summary or path changes. */
  operationId: string;
  /** Short description of the route. */
  summary: string;
  /** Schema of `data`, or of each of its rows. */
  data: z.ZodType | null;
  headers: AnswerHeader[];
  /** Errors that the rest of the line does not imply. */
  refuses: (400 | 403 | 404 | 409)[];
  /** Errors that the rest of the line implies but that never occur. */
  never: 409[];
};

/** One middleware's contribution to the OpenAPI document. */
export type RouteDescription = {
  access?: Access;
  reads?: { target: keyof ValidationTargets; schema: z.ZodType };
  /** A body other than JSON: its media type, and the fields of a form beside its file. */
  body?: { type: string; fields: z.ZodType | null };
  /** Accepts an `Idempotency-Key` and marks a repeated response with `Idempotent-Replayed`. */
  idempotent?: true;
  /** Served from the catalogue cache, with an ETag for conditional requests. */
  cached?: true;
  /** Responds with the bytes of a file. */
  bytes?: true;
  answer?: Answer;
};

const descriptions = new WeakMap<object, RouteDescription>();

/** Attaches a description to a middleware. */
export function describeRoute<Part extends object>(part: Part, description: RouteDescription): Part {
  descriptions.set(part, description);
  return part;
}

export const routeDescriptionOf = (part: object): RouteDescription => descriptions.get(part) ?? {};

const pass = (): MiddlewareHandler => (_, next) => next();

/** Describes a body that the handler reads as a stream: its media type and form fields. */
export const acceptsBody = (type: string, fields: z.ZodType | null = null): MiddlewareHandler =>
  describeRoute(pass(), { body: { type, fields } });

/** Describes a response with the bytes of a file instead of an envelope. */
export const answersBytes = (operationId: string, summary: string): MiddlewareHandler =>
  describeRoute(pass(), { bytes: true, answer: describeAnswer("one", operationId, summary, null) });

/** The response declared on a line: the functions of envelope.ts accept nothing else. Types only. */
type Promised<Kind extends Answer["kind"], Data> = { answers?: [Kind, Data] };

type Promising<Kind extends Answer["kind"], Data> = MiddlewareHandler<{ Variables: Promised<Kind, Data> }>;

type Extra = Partial<Pick<Answer, "headers" | "refuses" | "never">>;

// Last on a line before its handler: operation id, summary, and the shape of `data`.

export const answers = <S extends z.ZodType>(
  operationId: string,
  summary: string,
  data: S,
  also: Extra = {},
): Promising<"one", z.output<S>> =>
  describeRoute(pass(), { answer: { ...describeAnswer("one", operationId, summary, data), ...also } });

/** A page of rows. */
export const lists = <S extends z.ZodType>(
  operationId: string,
  summary: string,
  row: S,
): Promising<"list", z.output<S>> =>
  describeRoute(pass(), { answer: describeAnswer("list", operationId, summary, row) });

export const creates = <S extends z.ZodType>(
  operationId: string,
  summary: string,
  data: S,
  also: Extra = {},
): Promising<"created", z.output<S>> =>
  describeRoute(pass(), { answer: { ...describeAnswer("created", operationId, summary, data), ...also } });

export const answersNothing = (operationId: string, summary: string, also: Extra = {}): Promising<"nothing", null> =>
  describeRoute(pass(), { answer: { ...describeAnswer("nothing", operationId, summary, null), ...also } });

const describeAnswer = (
  kind: Answer["kind"],
  operationId: string,
  summary: string,
  data: z.ZodType | null,
): Answer => ({
  kind,
  operationId,
  summary,
  data,
  headers: [],
  refuses: [],
  never: [],
});

// Optimistic concurrency: clients that send the ETag they saw in If-Match cannot overwrite changes they did not see.

/** `If-Match` as sent: an ETag, a list of ETags, or `*`. */
export const IfMatch = z.object({
  "if-match": z
    .string()
    .max(500)
    .optional()
    .describe("ETag of the version that was read. Returns 412 if the resource has changed since"),
});
export type IfMatch = z.output<typeof IfMatch>;

/** The ETag of a row's version. */
export const etagOf = (updatedAt: number): string => `"${updatedAt.toString(36)}"`;

/** Refuses a request made for another version of the row. */
export function requireVersion({ "if-match": header }: IfMatch, updatedAt: number): void {
  requireMatch(header, etagOf(updatedAt));
}

/** Refuses a request whose `If-Match` names other content. A weak ETag matches none (RFC 9110, 13.1.1). */
export function requireMatch(header: string | null | undefined, etag: string): void {
  if (header === undefined || header === null || header.trim() === "*") return;
  if (!header.split(",").some((candidate) => candidate.trim() === etag)) throw preconditionFailed();
}

/** The error for a violated precondition (db/client.ts): another edit came between reading and writing. */
export const editedMeanwhile = {
  row_changed: () => conflict("changed_meanwhile", "The resource was changed at the same time. Read it again"),
};

/** A response with the ETag to send back in If-Match. */
export function versioned<Data>(
  c: Parameters<typeof ok<Data>>[0],
  message: string,
  row: { updatedAt: number },
  data: NoInfer<Data>,
) {
  c.header("ETag", etagOf(row.updatedAt));
  return ok(c, message, data);
}

/** True if `If-None-Match` names the current content. */
export function isNotModified(headers: Headers, etag: string): boolean {
  const known = headers.get("If-None-Match");
  if (known === null) return false;
  return known.split(",").some((candidate) => ["*", etag, `W/${etag}`].includes(candidate.trim()));
}

// Every body except file contents is written here, in the shape declared on the route's line.

/** The Context of a route that declares this kind of response. */
type Answering<Kind extends Answer["kind"], Data> = Pick<Context, "json" | "body" | "header"> & {
  req: { url: string };
  var: Promised<Kind, Data>;
};

const success = (message: string, data: unknown) => ({ status: "success", message, data }) as const;

export const ok = <Data>(c: Answering<"one", Data>, message: string, data: NoInfer<Data>) =>
  c.json(success(message, data), 200);

/** `location` is the URL of the created resource. */
export const created = <Data>(
  c: Answering<"created", Data>,
  location: `/api/v1/${string}` | `/images/${string}`,
  message: string,
  data: NoInfer<Data>,
) => c.json(success(message, data), 201, { Location: location });

export const noContent = (c: Answering<"nothing", null>) => c.body(null, 204);

/** A page of a list with pagination and links to its neighbours. */
export function list<Row, Stored>(
  c: Answering<"list", Row>,
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
  c.json({ status: "error", message, code, errors, details }, status as ContentfulStatusCode, headers);
