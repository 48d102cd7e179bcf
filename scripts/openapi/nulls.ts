import { type JsonSchema, type OpenApi, operationsOf } from "./shape.ts";

const JSON_TYPE = "application/json";

/** Bodies in which a null may be a failed calculation of money, and is refused. */
const MOVING_MONEY = ["#/components/schemas/RefundCreate", "#/components/schemas/ReturnSettlement"];

/**
 * Lets optional fields of requests be null, as the Worker does (src/platform/http/sent-back.ts). A change accepts null only
 * for what the resource may lack, because a null elsewhere asks to remove a value that cannot be removed.
 */
export function acceptNulls(document: OpenApi): void {
  const seen = new Map<JsonSchema, (JsonSchema | undefined)[]>();
  const resolved = (schema: JsonSchema): JsonSchema =>
    schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? schema) : schema;

  function visit(sent: JsonSchema | undefined, stored: JsonSchema | undefined): void {
    const schema = sent && resolved(sent);
    const known = (schema && seen.get(schema)) ?? [];
    if (!schema || known.includes(stored) || MOVING_MONEY.includes(sent.$ref ?? "")) return;
    seen.set(schema, [...known, stored]);
    for (const option of schema.anyOf ?? []) visit(option, stored);
    visit(schema.items, undefined);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const read = stored && objectIn(stored).properties?.[name];
      // A part that the resource lacks is created as a whole.
      visit(field, read && !allowsNull(read) ? read : undefined);
      const isOptional = !schema.required?.includes(name);
      if (isOptional && !allowsNull(field) && (!read || allowsNull(read))) allowNull(field);
    }
  }

  /** An object, also if it is one of the alternatives of a schema. */
  const objectIn = (schema: JsonSchema): JsonSchema => {
    const all = (schema.anyOf ?? [schema]).map(resolved);
    return all.find(({ properties }) => properties) ?? {};
  };

  const allowsNull = (schema: JsonSchema): boolean => {
    const { type, anyOf, enum: values } = resolved(schema);
    if (values) return values.includes(null);
    return type === undefined ? !anyOf || anyOf.some(allowsNull) : [type].flat().includes("null");
  };

  for (const { path, method, requestBody } of operationsOf(document).values()) {
    const { 200: read } = (method === "put" && document.paths[path]?.get?.responses) || {};
    const data = objectIn(read?.content?.[JSON_TYPE]?.schema ?? {}).properties?.data;
    visit(requestBody?.content[JSON_TYPE]?.schema, data);
  }
}

/** Adds null to a schema in place. Its description and default stay outside of the alternatives, as zod writes them. */
function allowNull(schema: JsonSchema): void {
  const { description, default: initial, deprecated, ...rest } = schema;
  for (const name of Object.keys(rest)) Reflect.deleteProperty(schema, name);
  schema.anyOf = [...(rest.anyOf ?? [rest]), { type: "null" }];
}
