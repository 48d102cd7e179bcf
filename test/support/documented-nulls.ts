import document from "../../public/openapi.json";

type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

const resolved = (schema: Schema): Schema =>
  schema.$ref ? Reflect.get(document.components.schemas, schema.$ref.split("/").at(-1) ?? "") : schema;

const optionsOf = (schema: Schema): Schema[] => {
  const { anyOf = [resolved(schema)] } = resolved(schema);
  return anyOf.map(resolved);
};

const allowsNull = (schema: Schema): boolean =>
  optionsOf(schema).some(({ type, anyOf }) => [type].flat().includes("null") || anyOf?.some(allowsNull));

/** The documented body of a route, whose line may end in words. Empty if it takes no JSON. */
export function bodySchemaOf(area: "admin" | "user", line: string): Schema {
  const [method = "", path = ""] = line.split(" ");
  const paths: unknown = Reflect.get(document.paths, `/api/v1/${area}${path.replace(/:(\w+)/g, "{$1}")}`);
  const operation = Reflect.get(Object(paths), method.toLowerCase());
  return operation?.requestBody?.content["application/json"]?.schema ?? {};
}

/** True if the field at a dotted path may be null. */
export function mayBeNull(schema: Schema, path: string): boolean {
  const [first = "", ...rest] = path.split(".");
  const field = optionsOf(schema).map(({ properties, items }) => properties?.[first] ?? items);
  return field.some((found) => found && (rest.length > 0 ? mayBeNull(found, rest.join(".")) : allowsNull(found)));
}

/** A body with null in each optional field that it lacks and that may be null. */
export function withNulls(schema: Schema, body: unknown): unknown {
  if (Array.isArray(body)) {
    const { items } = optionsOf(schema).find((option) => option.items) ?? {};
    return items ? body.map((item) => withNulls(items, item)) : body;
  }
  if (typeof body !== "object" || body === null) return body;
  const { properties = {}, required = [] } = optionsOf(schema).find((option) => option.properties) ?? {};
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const sent: unknown = Reflect.get(body, name);
    if (sent !== undefined) return [[name, withNulls(field, sent)]];
    return !required.includes(name) && allowsNull(field) ? [[name, null]] : [];
  });
  return { ...body, ...Object.fromEntries(fields) };
}
