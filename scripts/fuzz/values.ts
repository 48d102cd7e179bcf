import fc, { type Arbitrary } from "fast-check";
import { resolve } from "../openapi/published.ts";
import type { JsonSchema } from "../openapi/shape.ts";

// Values that match a schema. Existing rows (an id, a price) are picked when the request is sent: see world.ts.

/** Stands for the `nth` existing row of a kind. */
export class Pick {
  readonly kind: string;
  readonly nth: number;

  constructor(kind: string, nth: number) {
    this.kind = kind;
    this.nth = nth;
  }
}

export const picked = (kind: string): Arbitrary<Pick> => fc.nat(20).map((nth) => new Pick(kind, nth));

/** Fields that refer to existing rows. */
const names: Record<string, string> = {
  product_id: "product",
  product_ids: "product",
  category_id: "category",
  file_id: "file",
  file_ids: "file",
  user_id: "user",
  order_id: "order",
  email: "email",
  current_password: "password",
  category: "slug",
  token: "token",
};

/** A value that matches the schema, considering the field's name. */
export function valid(schema: JsonSchema, name = ""): Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, enum: values, type } = schema;
  if ($ref) return valid(resolve(schema), name);
  if (values) return fc.constantFrom(...values);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, name)));
  const known = type === "array" ? undefined : names[name];
  const anything = byType(schema, name);
  return known ? fc.oneof({ weight: 4, arbitrary: picked(known) }, { weight: 1, arbitrary: anything }) : anything;
}

function byType(schema: JsonSchema, name: string): Arbitrary<unknown> {
  switch (schema.type) {
    case "object":
      return object(schema);
    case "array": {
      const { items = {}, minItems = 0, maxItems = minItems + 3 } = schema;
      return fc.array(valid(items, name), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
    }
    case "string":
      return text(schema);
    case "integer":
      return whole(schema);
    case "number":
      return whole({ ...hundredfold(schema) }).map((minor) => minor / 100);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

/** A random postal code would rarely fit a random country. */
const addresses = [
  { name: "Ada Lovelace", address: "12 St James's Square", city: "London", zip: "SW1Y 4JH", country: "GB" },
  { name: "Lou Lossy", address: "Torstraße 1", city: "Berlin", zip: "10119", country: "DE" },
];

function object({ properties = {}, required = [], additionalProperties }: JsonSchema): Arbitrary<unknown> {
  if ("product_id" in properties && "price" in properties) {
    return fc.oneof({ weight: 4, arbitrary: picked("line") }, { weight: 1, arbitrary: fields(properties, required) });
  }
  if ("zip" in properties && "country" in properties) {
    const known = fc.constantFrom(...addresses);
    return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: fields(properties, required) });
  }
  if (typeof additionalProperties === "object") {
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), valid(additionalProperties), { maxKeys: 3 });
  }
  return fields(properties, required);
}

/**
 * Half of the time with few optional members. Some exclude each other, and requests with many of them would never be
 * valid.
 */
function fields(properties: Record<string, JsonSchema>, required: string[]): Arbitrary<unknown> {
  const all = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valid(schema, name)]));
  const optional = Object.keys(all).filter((name) => !required.includes(name));
  const few = fc
    .subarray(optional, { maxLength: Math.min(2, optional.length) })
    .chain((names) =>
      fc.record(
        Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name) || names.includes(name))),
      ),
    );
  return fc.oneof(few, fc.record(all, { requiredKeys: required }));
}

const hundredfold = ({ minimum, exclusiveMinimum, maximum }: JsonSchema): JsonSchema => ({
  minimum: exclusiveMinimum === undefined ? Math.round((minimum ?? -1000) * 100) : exclusiveMinimum * 100 + 1,
  maximum: Math.round((maximum ?? 1000) * 100),
});

/** Mostly small numbers, sometimes the ends of the range. */
function whole({ minimum = -1_000, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): Arbitrary<number> {
  const small = fc.integer({ min: minimum, max: Math.min(maximum, Math.max(minimum, 0) + 20) });
  return fc.oneof({ weight: 6, arbitrary: small }, { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) });
}

const byPattern = new Map<string, Arbitrary<string>>();

/** Strings that match a pattern. Cached, because parsing a pattern is slow and many fields share one. */
function matching(pattern: string): Arbitrary<string> {
  const known = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  byPattern.set(pattern, known);
  return known;
}

function text({ format, pattern, minLength = 0, maxLength = 200 }: JsonSchema): Arbitrary<unknown> {
  if (format === "email") return fc.nat().map((n) => `fuzz-${n}@shop.test`);
  if (format === "date-time") {
    const [min, max] = [new Date("1990-01-01"), new Date("2999-01-01")];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  const most = Math.min(maxLength, minLength + 40);
  const any = pattern
    ? matching(pattern).filter(({ length }) => length <= maxLength)
    : fc.string({ minLength: Math.max(1, minLength), maxLength: most });
  return any.filter((value) => value.trim().length >= minLength);
}
