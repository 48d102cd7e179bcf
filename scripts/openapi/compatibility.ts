import { type JsonSchema, type OpenApi, type Operation, operationsOf } from "./shape.ts";

// Compares the document with that of a release. Fields, values of enumerations, error codes and event types may be added to
// responses at any time, and anything that is optional to requests.

/** Requests must stay accepted, and responses must keep what clients read from them. */
type Direction = "request" | "response";

const JSON_TYPE = "application/json";

/** Each change that breaks clients of an older document, in a line. */
export function incompatibleChanges(before: OpenApi, after: OpenApi): string[] {
  const schemas = new SchemaComparison(before, after);
  const byRoute = (document: OpenApi) =>
    new Map([...operationsOf(document).values()].map((each) => [`${each.method.toUpperCase()} ${each.path}`, each]));
  const now = byRoute(after);
  const ofOperations = [...byRoute(before)].flatMap(([route, old]) => {
    const current = now.get(route);
    return current ? changesOf(schemas, old, current).map((change) => `${route}: ${change}`) : [`${route} is gone`];
  });
  const dataOf = (document: OpenApi, type: string) =>
    document.webhooks[type]?.post.requestBody.content[JSON_TYPE]?.schema;
  const ofEvents = Object.keys(before.webhooks).flatMap((type) => {
    const [old, current] = [dataOf(before, type), dataOf(after, type)];
    if (!current) return [`event ${type} is gone`];
    return old ? schemas.differences("response", old, current, "").map((change) => `event ${type}: ${change}`) : [];
  });
  return [...ofOperations, ...ofEvents];
}

function changesOf(schemas: SchemaComparison, before: Operation, after: Operation): string[] {
  const [oldBody, body] = [before.requestBody, after.requestBody];
  const [sent, accepted] = [oldBody, body].map((each) => each?.content[JSON_TYPE]?.schema);
  return [
    ...parameterChanges(schemas, before, after),
    ...(body?.required && !oldBody?.required ? ["the body is required now"] : []),
    ...(oldBody && !body ? ["the body is no longer accepted"] : []),
    ...(sent && accepted ? schemas.differences("request", sent, accepted, "body") : []),
    ...Object.entries(before.responses).flatMap(([status, { content }]) => {
      if (!status.startsWith("2")) return [];
      const [old, current] = [content, after.responses[status]?.content].map((each) => each?.[JSON_TYPE]?.schema);
      if (!after.responses[status]) return [`never answers ${status} any more`];
      return old && current ? schemas.differences("response", old, current, "response") : [];
    }),
  ];
}

function parameterChanges(schemas: SchemaComparison, before: Operation, after: Operation): string[] {
  const [old, current] = [parametersOf(schemas.before, before), parametersOf(schemas.after, after)];
  return [
    ...[...old].flatMap(([name, { schema }]) => {
      const kept = current.get(name);
      return kept ? schemas.differences("request", schema, kept.schema, name) : [`${name} is no longer accepted`];
    }),
    ...[...current].flatMap(([name, { required }]) =>
      required && !old.get(name)?.required ? [`${name} is required now`] : [],
    ),
  ];
}

/** Parameters of an operation by place and name. Those of many operations are references. */
const parametersOf = (document: OpenApi, { parameters = [] }: Operation) =>
  new Map(
    parameters.flatMap((each) => {
      const parameter = each.$ref ? document.components.parameters[each.$ref.split("/").at(-1) ?? ""] : each;
      return parameter ? [[`${parameter.in} ${parameter.name}`, parameter] as const] : [];
    }),
  );

const listOf = <Value>(value: Value | Value[] | undefined): Value[] =>
  value === undefined ? [] : ([value].flat() as Value[]);

class SchemaComparison {
  readonly before: OpenApi;
  readonly after: OpenApi;

  constructor(before: OpenApi, after: OpenApi) {
    this.before = before;
    this.after = after;
  }

  differences(direction: Direction, old: JsonSchema, current: JsonSchema, path: string): string[] {
    const [before, after] = [alternatives(this.before, old), alternatives(this.after, current)];
    const [wasNull, isNull] = [before, after].map((each) => each.some(allowsNull));
    const ofNull =
      direction === "request"
        ? wasNull && !isNull && [`${path} may no longer be null`]
        : isNull && !wasNull && [`${path} may be null now`];
    const isValue = ({ type }: JsonSchema) => type !== "null";
    return [
      ...(ofNull || []),
      // The closest alternative is taken for the one that it became.
      ...before.filter(isValue).flatMap((each) => {
        const found = after.filter(isValue).map((other) => this.#ofOne(direction, each, other, path));
        return found.toSorted((one, other) => one.length - other.length)[0] ?? [`${path} is gone`];
      }),
    ];
  }

  #ofOne(direction: Direction, before: JsonSchema, after: JsonSchema, path: string): string[] {
    const [from, to] = direction === "request" ? [before, after] : [after, before];
    const types = listOf(to.type).filter((type) => type !== "null");
    const isWider = listOf(from.type).some((type) => type !== "null" && !fits(type, types));
    if (types.length > 0 && isWider) return [`${path} was ${listOf(before.type)} and is ${listOf(after.type)}`];
    const nested =
      before.items && after.items ? this.differences(direction, before.items, after.items, `${path}[]`) : [];
    return [
      ...nested,
      ...this.#ofFields(direction, before, after, path),
      ...(direction === "request" ? narrowed(before, after, path) : []),
    ];
  }

  #ofFields(direction: Direction, before: JsonSchema, after: JsonSchema, path: string): string[] {
    const [old, current] = [before.properties ?? {}, after.properties ?? {}];
    const isOpen = direction === "request" && after.additionalProperties !== false;
    return [
      ...Object.entries(old).flatMap(([name, schema]) => {
        const kept = current[name];
        if (kept) return this.differences(direction, schema, kept, `${path}.${name}`);
        return isOpen ? [] : [`${path}.${name} is gone`];
      }),
      ...(direction === "request"
        ? listOf(after.required).flatMap((name) =>
            before.required?.includes(name) ? [] : [`${path}.${name} is required now`],
          )
        : listOf(before.required).flatMap((name) =>
            current[name] && !after.required?.includes(name) ? [`${path}.${name} may be missing now`] : [],
          )),
    ];
  }
}

/** True if a type is among others. Every integer is a number. */
const fits = (type: string, types: string[]): boolean =>
  types.includes(type) || (type === "integer" && types.includes("number"));

const allowsNull = ({ type, enum: values }: JsonSchema): boolean =>
  listOf(type).includes("null") || Boolean(values?.includes(null));

function alternatives(document: OpenApi, schema: JsonSchema): JsonSchema[] {
  if (schema.$ref) {
    const target = document.components.schemas[schema.$ref.split("/").at(-1) ?? ""];
    return target ? alternatives(document, target) : [];
  }
  return schema.anyOf ? schema.anyOf.flatMap((each) => alternatives(document, each)) : [schema];
}

/** Limits and values of a request that became narrower. */
function narrowed(before: JsonSchema, after: JsonSchema, path: string): string[] {
  const lower = (["maxLength", "maximum", "maxItems"] as const).filter(
    (name) => (after[name] ?? Number.POSITIVE_INFINITY) < (before[name] ?? Number.POSITIVE_INFINITY),
  );
  const higher = (["minLength", "minimum", "minItems"] as const).filter(
    (name) => (after[name] ?? Number.NEGATIVE_INFINITY) > (before[name] ?? Number.NEGATIVE_INFINITY),
  );
  const accepted = before.enum ?? (before.const === undefined ? undefined : [before.const]);
  const values = after.enum && (accepted?.filter((value) => !after.enum?.includes(value)) ?? ["other values"]);
  return [
    ...[...lower, ...higher].map((name) => `${path} has the ${name} ${after[name]}`),
    ...(values ?? []).map((value) => `${path} no longer accepts ${value}`),
  ];
}
