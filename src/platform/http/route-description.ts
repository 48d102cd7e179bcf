import type { MiddlewareHandler, ValidationTargets } from "hono";
import type * as z from "zod";
import type { RefusalCode } from "../../domain/error-codes.ts";

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
  /** Effects, units and dangers that the summary does not mention, for people and for models. */
  description: string;
  /** Schema of `data`, or of each of its rows. */
  data: z.ZodType | null;
  headers: AnswerHeader[];
  /** Codes of the errors that the rest of the line does not imply. */
  refuses: Partial<Record<400 | 401 | 403 | 404 | 409 | 429, readonly RefusalCode[]>>;
  /** Errors that the rest of the line implies but that never occur. */
  never: 409[];
};

/** One middleware's contribution to the OpenAPI document. */
export type RouteDescription = {
  access?: Access;
  reads?: { target: keyof ValidationTargets; schema: z.ZodType }[];
  /** A body other than JSON: its media type, and the fields of a form beside its file. */
  body?: { type: string; fields: z.ZodType | null };
  /** Accepts an `Idempotency-Key` and marks a repeated response with `Idempotent-Replayed`. */
  idempotent?: true;
  /** Served from the catalogue cache, with an ETag for conditional requests. */
  cached?: true;
  /** Responds with the bytes of a file. */
  bytes?: "with ranges" | "from start to end";
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

/** Describes a response with the bytes of a stored file, whose ranges can be requested, instead of an envelope. */
export const answersBytes = (operationId: string, summary: string, also: Extra = {}): MiddlewareHandler =>
  describeRoute(pass(), {
    bytes: "with ranges",
    answer: { ...describeAnswer("one", operationId, summary, null), ...also },
  });

/** Describes a response with the bytes of a file that is generated while it is sent. */
export const streamsBytes = (operationId: string, summary: string): MiddlewareHandler =>
  describeRoute(pass(), { bytes: "from start to end", answer: describeAnswer("one", operationId, summary, null) });

/** The response declared on a line: the functions of envelope.ts accept nothing else. Types only. */
export type ResponseVariables<Kind extends Answer["kind"], Data> = { answers?: [Kind, Data] };

type ResponseMiddleware<Kind extends Answer["kind"], Data> = MiddlewareHandler<{
  Variables: ResponseVariables<Kind, Data>;
}>;

type Extra = Partial<Pick<Answer, "description" | "headers" | "refuses" | "never">>;

// Last on a line before its handler: operation id, summary, and the shape of `data`.

export const answers = <S extends z.ZodType>(
  operationId: string,
  summary: string,
  data: S,
  also: Extra = {},
): ResponseMiddleware<"one", z.output<S>> =>
  describeRoute(pass(), { answer: { ...describeAnswer("one", operationId, summary, data), ...also } });

/** A page of rows. */
export const lists = <S extends z.ZodType>(
  operationId: string,
  summary: string,
  row: S,
  also: Extra = {},
): ResponseMiddleware<"list", z.output<S>> =>
  describeRoute(pass(), { answer: { ...describeAnswer("list", operationId, summary, row), ...also } });

export const creates = <S extends z.ZodType>(
  operationId: string,
  summary: string,
  data: S,
  also: Extra = {},
): ResponseMiddleware<"created", z.output<S>> =>
  describeRoute(pass(), { answer: { ...describeAnswer("created", operationId, summary, data), ...also } });

export const answersNothing = (
  operationId: string,
  summary: string,
  also: Extra = {},
): ResponseMiddleware<"nothing", null> =>
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
  description: "",
  data,
  headers: [],
  refuses: {},
  never: [],
});
