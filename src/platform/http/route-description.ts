import type { MiddlewareHandler, ValidationTargets } from "hono";
import type * as z from "zod";

// Each middleware on a route's line carries a description of itself. The OpenAPI document is generated from these descriptions
// alone, so it cannot promise what a route does not do: see scripts/openapi.

/** Who may call a route. */
type Access = {
  /** What an API key has to hold; null where no key may. */
  permission: string | null;
  /** What it has to hold beside it, where what was asked for moves money. */
  whereMoneyMoves?: string | undefined;
  /** All of them, or those with one of these roles. */
  users: "everybody" | readonly string[];
  /** Whether a caller without a credential may, at least where the deployment allows it. */
  anonymous: boolean;
};

/** Headers that a route's own answer carries, beside those of every answer. */
export type AnswerHeader = "ETag" | "X-Cart-Token";

/** What a route answers when it does what was asked for. */
export type Answer = {
  kind: "one" | "list" | "created" | "nothing";
  /** What clients call the route by: it stays when the summary or the address changes. */
  operationId: string;
  /** What the route does, in a few words. */
  summary: string;
  /** The shape of `data`, or of each of its rows. */
  data: z.ZodType | null;
  headers: AnswerHeader[];
  /** Refusals that the rest of the line does not imply. */
  refuses: (400 | 403 | 404 | 409)[];
  /** Refusals that the rest of the line implies, and that are never given. */
  never: 409[];
};

/** What one middleware of a route's line contributes to the OpenAPI document. */
export type RouteDescription = {
  access?: Access;
  reads?: { target: keyof ValidationTargets; schema: z.ZodType };
  /** A body that is not JSON: its type, and the fields of a form beside its file. */
  body?: { type: string; fields: z.ZodType | null };
  /** Takes an `Idempotency-Key`, and marks a repeated answer with `Idempotent-Replayed`. */
  idempotent?: true;
  /** Answered from the catalogue cache, with an ETag for conditional requests. */
  cached?: true;
  /** Answered with the bytes of a file. */
  bytes?: true;
  answer?: Answer;
};

const descriptions = new WeakMap<object, RouteDescription>();

/** Attaches a description to a middleware of a route's line. */
export function describeRoute<Part extends object>(part: Part, description: RouteDescription): Part {
  descriptions.set(part, description);
  return part;
}

export const routeDescriptionOf = (part: object): RouteDescription => descriptions.get(part) ?? {};

const pass = (): MiddlewareHandler => (_, next) => next();

/** Describes a body that the handler reads as a stream: its media type, and the fields of a form. */
export const acceptsBody = (type: string, fields: z.ZodType | null = null): MiddlewareHandler =>
  describeRoute(pass(), { body: { type, fields } });

/** Describes an answer that is the bytes of a file instead of an envelope. */
export const answersBytes = (operationId: string, summary: string, also: Extra = {}): MiddlewareHandler =>
  describeRoute(pass(), { bytes: true, answer: { ...describeAnswer("one", operationId, summary, null), ...also } });

/** What a line promises: only this can be given to the functions of envelope.ts. It is there for the compiler alone. */
export type Promised<Kind extends Answer["kind"], Data> = { answers?: [Kind, Data] };

type Promising<Kind extends Answer["kind"], Data> = MiddlewareHandler<{ Variables: Promised<Kind, Data> }>;

type Extra = Partial<Pick<Answer, "headers" | "refuses" | "never">>;

// The last word of a line before its handler says what it answers: its operation id, a summary, and the shape of `data`.

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
  also: Extra = {},
): Promising<"list", z.output<S>> =>
  describeRoute(pass(), { answer: { ...describeAnswer("list", operationId, summary, row), ...also } });

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
