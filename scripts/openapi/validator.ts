import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const ROOT = "openapi.json";

/**
 * Validates a value against the schema at a place in the document, given as its keys. Returns null or the problem.
 * Responses may have no undocumented fields.
 */
export function validatorOf(document: object): (place: string[], value: unknown) => string | null {
  // Most schemas validate only a few values: optimizing their code, or repeating it at each reference, takes longer than
  // running it.
  const quick = { code: { optimize: false }, inlineRefs: false };
  const ajv = new Ajv2020({ strict: false, formats: { binary: true }, ...quick });
  formats.default(ajv);
  ajv.addSchema(closed(document), ROOT);
  return (place, value) => {
    const $ref = `${ROOT}#/${place.map(escaped).join("/")}`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
}

const closed = (document: object): object =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === "object" && value.properties && !("additionalProperties" in value)
      ? { ...value, additionalProperties: false }
      : value,
  );

/** A key, escaped as part of a JSON pointer in a URI. */
const escaped = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
