import fc, { type Arbitrary } from "fast-check";
import type { Parameter } from "../openapi/shape.ts";
import type { Operation } from "./document.ts";
import { hostileBody, hostileText } from "./hostile.ts";
import { spoiled } from "./spoil.ts";
import { picked, valid } from "./values.ts";

/** Kinds of callers. The document says what each may do. */
const kinds = ["anonymous", "forged", "nonsense", "lacking", "key", "customer", "administrator"] as const;
export type Kind = (typeof kinds)[number];

export type SentBody = { type: string | null; text: unknown; raw: boolean };

/** A generated request. Existing rows are picked when it is sent. */
export type Draft = {
  kind: Kind;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: SentBody | null;
};

/** Valid requests by callers who are mostly authorized. */
const goodDrafts = (operation: Operation): Arbitrary<Draft> =>
  fc.record({
    kind: fc.constantFrom<Kind>("key", "customer", "administrator"),
    path: named(operation, "path", ({ name }) => picked(nounOf(operation, name))),
    query: named(operation, "query", ({ schema, name }) => valid(schema, name)),
    headers: rarely(named(operation, "header", ({ schema }) => valid(schema))),
    body: goodBody(operation),
  });

/**
 * Valid requests by authorized callers, some with one part made invalid, and some by any caller. Authorized callers
 * reach more code.
 */
export function drafts(operation: Operation): Arbitrary<Draft> {
  const good = goodDrafts(operation);
  const bad = fc.oneof(
    fc.record({ path: named(operation, "path", () => hostileText) }),
    fc.record({
      query: fc.oneof(
        named(operation, "query", () => hostileText),
        strangers,
      ),
    }),
    fc.record({ headers: named(operation, "header", () => hostileText) }),
    fc.record({ body: badBody(operation) }),
    fc.record({ body: badBody(operation) }),
  );
  return fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 4, arbitrary: fc.tuple(good, bad).map(([draft, part]) => ({ ...draft, ...part })) },
    {
      weight: 1,
      arbitrary: fc.tuple(good, fc.constantFrom(...kinds)).map(([draft, kind]) => ({ ...draft, kind })),
    },
  );
}

/** The resource of an id in a path: the word before it. */
function nounOf({ path }: Operation, name: string): string {
  const before = path.split("/");
  const word = before[before.indexOf(`{${name}}`) - 1] ?? "";
  return name === "number" || name === "provider" ? name : word.replace(/ies$/, "y").replace(/s$/, "");
}

type Values = Record<string, unknown>;

/** Values for the parameters of one place. Optional ones may be missing. */
function named(
  { parameters }: Operation,
  place: Parameter["in"],
  value: (parameter: Parameter) => Arbitrary<unknown>,
): Arbitrary<Values> {
  const here = parameters.filter((parameter) => parameter.in === place);
  const model = Object.fromEntries(here.map((parameter) => [parameter.name, value(parameter)]));
  return fc.record(model, { requiredKeys: here.filter(({ required }) => required).map(({ name }) => name) });
}

/** Headers are conditions on the response, so most requests have none. */
const rarely = (headers: Arbitrary<Values>): Arbitrary<Values> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers });

const strangers = fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), hostileText, { minKeys: 1, maxKeys: 1 });

const contentOf = ({ requestBody }: Operation) => {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  return type && media ? { type, schema: media.schema } : null;
};

export const FORM = "multipart/form-data";
const OCTETS = "application/octet-stream";

function goodBody(operation: Operation): Arbitrary<SentBody | null> {
  const content = contentOf(operation);
  if (!content) return fc.constant(null);
  const { type, schema } = content;
  if (type === OCTETS) return fc.uint8Array({ minLength: 1, maxLength: 50 }).map((text) => ({ type, text, raw: true }));
  return valid(schema).map((text) => ({ type, text, raw: false }));
}

const types = ["application/json", "application/json", "application/merge-patch+json", "text/plain", FORM, null];

const raw: Arbitrary<SentBody> = fc
  .tuple(hostileBody, fc.constantFrom(...types))
  .map(([text, type]) => ({ type, text, raw: true }));

function badBody(operation: Operation): Arbitrary<SentBody | null> {
  const content = contentOf(operation);
  if (!content || content.type === OCTETS) return raw;
  const { type, schema } = content;
  const almost = spoiled(valid(schema)).map((text) => ({ type, text, raw: false }));
  return fc.oneof({ weight: 3, arbitrary: almost }, { weight: 1, arbitrary: raw });
}
