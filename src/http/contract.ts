import type { MiddlewareHandler, ValidationTargets } from "hono";
import type * as z from "zod";

// The parts of a route's line say what they mean. The OpenAPI document is written from that and from nothing else, so it
// cannot promise what a route does not do: see scripts/openapi.

/** Who may call a route. */
type Access = {
  /** What an API key has to hold; null where no key may. */
  permission: string | null;
  /** What it has to hold beside it, where what was asked for moves money. */
  whereMoneyMoves?: string | undefined;
  users: "everybody" | "administrators";
  /** Whether a caller without a credential may, at least where the installation says so. */
  anonymous: boolean;
};

/** Headers that a route's own answer carries, beside those of every answer. */
export type AnswerHeader = "ETag" | "X-Cart-Token";

/** What a route answers when it does what was asked for. */
export type Answer = {
  kind: "one" | "list" | "created" | "nothing";
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

/** What one part of a line says. */
export type Terms = {
  access?: Access;
  reads?: { target: keyof ValidationTargets; schema: z.ZodType };
  /** A body that is not JSON: its type, and the fields of a form beside its file. */
  body?: { type: string; fields: z.ZodType | null };
  /** Takes an `Idempotency-Key`, and says `Idempotent-Replayed` of an answer that was given before. */
  idempotent?: true;
  /** Answered from what is kept for a while, with an ETag to ask again by. */
  cached?: true;
  /** Answered with the bytes of a file. */
  bytes?: true;
  answer?: Answer;
};

const said = new WeakMap<object, Terms>();

/** Notes what a part of a line says. */
export function says<Part extends object>(part: Part, terms: Terms): Part {
  said.set(part, terms);
  return part;
}

export const termsOf = (part: object): Terms => said.get(part) ?? {};

const pass = (): MiddlewareHandler => (_, next) => next();

/** For a body that is read as it comes: its type, and the fields of a form. */
export const takes = (type: string, fields: z.ZodType | null = null): MiddlewareHandler =>
  says(pass(), { body: { type, fields } });

/** For a file's bytes instead of an envelope. */
export const answersBytes = (summary: string, also: Also = {}): MiddlewareHandler =>
  says(pass(), { bytes: true, answer: { ...terms("one", summary, null), ...also } });

/** What a line promises: only this can be given to the functions of envelope.ts. It is there for the compiler alone. */
export type Promised<Kind extends Answer["kind"], Data> = { answers?: [Kind, Data] };

type Promising<Kind extends Answer["kind"], Data> = MiddlewareHandler<{ Variables: Promised<Kind, Data> }>;

type Also = Partial<Pick<Answer, "headers" | "refuses" | "never">>;

// The last word of a line before its handler says what it answers: a summary, and the shape of `data`.

export const answers = <S extends z.ZodType>(
  summary: string,
  data: S,
  also: Also = {},
): Promising<"one", z.output<S>> => says(pass(), { answer: { ...terms("one", summary, data), ...also } });

/** A page of rows. */
export const lists = <S extends z.ZodType>(summary: string, row: S, also: Also = {}): Promising<"list", z.output<S>> =>
  says(pass(), { answer: { ...terms("list", summary, row), ...also } });

export const creates = <S extends z.ZodType>(
  summary: string,
  data: S,
  also: Also = {},
): Promising<"created", z.output<S>> => says(pass(), { answer: { ...terms("created", summary, data), ...also } });

export const answersNothing = (summary: string, also: Also = {}): Promising<"nothing", null> =>
  says(pass(), { answer: { ...terms("nothing", summary, null), ...also } });

const terms = (kind: Answer["kind"], summary: string, data: z.ZodType | null): Answer => ({
  kind,
  summary,
  data,
  headers: [],
  refuses: [],
  never: [],
});
