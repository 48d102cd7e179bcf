import type { JsonSchema } from "./shape.ts";

// Tools are listed to a model in full, so their schemas contain only rules that a model can use. The API still checks
// the others, and its errors name the field and the rule.

/**
 * Sentences about large lists, about permissions, whose refusals name what is missing, and about all changes, of which
 * the server's instructions speak.
 */
const NEEDLESS =
  /^(At most the 10,000 newest|Limited to the 10,000|Requires the permission|Only staff and API keys|Fields that are not sent keep)/;

const RULES_FOR_MACHINES = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "propertyNames",
  "allOf",
];

/** Default values that say nothing, as JSON: the field is empty or off, or a list begins with its first page. */
const OBVIOUS_DEFAULTS = ["null", "false", '""', "[]", "{}", "1"];

/** The most values of an enumeration that are listed again, or that are codes of countries or states. */
const MOST_VALUES = 15;
const isPlaceCode = (value: unknown): boolean => /^[A-Z]{2}$/.test(String(value));

/** Limits that a model keeps without being told: a minimum from 0 to 1, and a maximum from a thousand. */
const FAR = 1000;

/** Members of responses that requests may repeat, ids and texts of other systems, and former names of fields. */
const isLeftOut = ({ description = "", deprecated = false }: JsonSchema): boolean =>
  deprecated || /Read-only: ignored in requests|^Id in another system|^Texts on/.test(description);

/** Names of a schema's fields, including those of its alternatives and of the objects and lists in it. */
export const fieldsOf = ({ properties = {}, items, anyOf = [] }: JsonSchema): string[] => [
  ...Object.entries(properties).flatMap(([name, schema]) =>
    isLeftOut(schema) ? [] : [name, ...fieldsOf(schema).map((inner) => `${name}.${inner}`)],
  ),
  ...[...(items ? [items] : []), ...anyOf].flatMap(fieldsOf),
];

/** A schema of requests in fewer words, with the same fields. */
export const forModels = (schema: JsonSchema): JsonSchema => withoutRepeats(shortened(schema));

/** The first paragraph: others explain values whose names say enough, or rules that a model seldom meets. */
function shortText(description: string): string {
  const [about = ""] = description.split("\n\n");
  const sentences = about.replace(/, and at most the 10,000 newest [^.]*/, "").split(". ");
  return sentences.filter((sentence) => !NEEDLESS.test(sentence)).join(". ");
}

function shortened(schema: JsonSchema): JsonSchema {
  const { anyOf, items, properties, additionalProperties, description = "", ...rest } = schema;
  const kept = Object.entries(rest).filter(([name, value]) => !isObvious(name, value));
  const text = shortText(description);
  const fields = Object.entries(properties ?? {}).filter(([, field]) => !isLeftOut(field));
  return {
    ...Object.fromEntries(kept),
    ...(text !== "" && { description: text }),
    ...(anyOf && alternatives(anyOf.map(shortened), text)),
    ...(items && { items: shortened(items) }),
    ...(!properties &&
      typeof additionalProperties === "object" && { additionalProperties: shortened(additionalProperties) }),
    ...(properties && { properties: Object.fromEntries(fields.map(([name, inner]) => [name, shortened(inner)])) }),
  };
}

function isObvious(name: string, value: unknown): boolean {
  if (name === "minimum" || name === "exclusiveMinimum") {
    return (Number(value) >= 0 && Number(value) <= 1) || Number(value) <= -FAR;
  }
  if (name === "maximum") return Number(value) >= FAR;
  if (name === "enum") return Array.isArray(value) && value.length > MOST_VALUES && value.every(isPlaceCode);
  return RULES_FOR_MACHINES.includes(name) || (name === "default" && OBVIOUS_DEFAULTS.includes(JSON.stringify(value)));
}

/** "X or null" as X with a second type. */
function alternatives(anyOf: JsonSchema[], description: string): JsonSchema {
  const [only, ...others] = anyOf.filter(({ type }) => type !== "null");
  if (others.length > 0 || anyOf.length !== 2 || typeof only?.type !== "string") return { anyOf };
  return {
    ...only,
    type: [only.type, "null"],
    ...(only.enum && { enum: [...only.enum, null] }),
    ...(description !== "" && { description }),
  };
}

/** Describes the second of two objects with equal fields by the name of the first, such as two addresses. */
function withoutRepeats(schema: JsonSchema): JsonSchema {
  const seen = new Map<string, string>();
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]): [string, JsonSchema] => {
    const { properties: inner, required, description, ...rest } = field;
    if (!inner) return [name, field];
    const shape = JSON.stringify([inner, required]);
    const first = seen.get(shape);
    seen.set(shape, first ?? name);
    if (first === undefined) return [name, field];
    return [name, { ...rest, description: [description, `Fields as in \`${first}\``].filter(Boolean).join(". ") }];
  });
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema;
}

/** Characters that a reference to another tool has to save, because a model looks it up there. */
const WORTH_A_LOOK = 60;

/** Tools by the fields that they describe. */
export type Descriptions = Map<string, string>;

/**
 * Removes the descriptions of fields that the tool repeats, or that an earlier tool describes, and refers to that tool if
 * this saves enough. The fields of this tool are added to `described`.
 */
export function withoutDescribed(body: JsonSchema, tool: string, described: Descriptions): JsonSchema {
  const sources: string[] = [];
  const strip = (schema: JsonSchema): JsonSchema => ({
    ...schema,
    ...(schema.anyOf && { anyOf: schema.anyOf.map(strip) }),
    ...(schema.properties && { properties: mapFields(schema.properties, withoutKnown) }),
  });
  const withoutKnown = (name: string, { default: usual, ...field }: JsonSchema): JsonSchema => {
    const key = JSON.stringify([name, field]);
    const whole = { ...field, ...(usual !== undefined && { default: usual }) };
    if (!key.includes('"description":')) return whole;
    const source = described.get(key);
    if (source === undefined) {
      described.set(key, tool);
      return strip(whole);
    }
    if (source === tool) return undescribed(strip(whole));
    sources.push(source);
    return plain(whole);
  };
  const short = strip(body);
  if (sources.length === 0) return short;
  const named = [...new Set(sources)].map((source) => `\`${source}\``).join(" and ");
  const description = [body.description, `Fields are described in ${named}`].filter(Boolean).join(". ");
  const referring = { ...short, description };
  return JSON.stringify(referring).length + WORTH_A_LOOK < JSON.stringify(body).length ? referring : body;
}

/** Removes the values of a long enumeration that were listed before, and refers to their tool if it is another one. */
export function withoutListed(schema: JsonSchema, tool: string, described: Descriptions): JsonSchema {
  const { enum: values, ...rest } = schema;
  const source = values && described.get(JSON.stringify(values));
  if (values && values.length > MOST_VALUES && source !== undefined) {
    const where = source === tool ? "listed before" : `in \`${source}\``;
    return { ...rest, description: `Values as ${where}` };
  }
  if (values) described.set(JSON.stringify(values), tool);
  return {
    ...schema,
    ...(schema.items && { items: withoutListed(schema.items, tool, described) }),
    ...(schema.properties && {
      properties: mapFields(schema.properties, (_name, field) => withoutListed(field, tool, described)),
    }),
  };
}

const mapFields = (fields: Record<string, JsonSchema>, change: (name: string, field: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(name, field)]));

const undescribed = ({ description: _, ...rest }: JsonSchema): JsonSchema => rest;

/** A schema without descriptions, and without the fields of an object. */
const plain = ({ description: _, properties, required, items, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  ...(items && {
    items: {
      ...items,
      ...(items.properties && { properties: mapFields(items.properties, (_name, field) => plain(field)) }),
    },
  }),
});
