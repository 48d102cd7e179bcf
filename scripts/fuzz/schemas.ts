import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { document, type Schema } from "./document.ts";

// An answer may get more fields one day, but none that the document of today does not know.
const closed = JSON.parse(JSON.stringify(document), (_, value) =>
  value?.properties && value.additionalProperties === undefined ? { ...value, additionalProperties: false } : value,
);

const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 6 });
addFormats.default(ajv);
ajv.addFormat("binary", true);
ajv.addSchema({ $id: "document", ...closed });

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with a value, as the schema at `place` of the document has it; null when nothing is. */
export function complaint(place: string[], value: unknown): string | null {
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` });
  compiled.set(pointer, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** The same for a schema that a request has, whether it stands for itself or names one. */
export const fits = (schema: Schema, value: unknown): boolean =>
  ajv.validate(schema.$ref ? { $ref: `document${schema.$ref}` } : schema, value);
