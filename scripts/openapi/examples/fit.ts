import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { type Content, type OpenApi, operationsOf } from "../shape.ts";

const ROOT = "openapi.json";

/** In words, which examples of the document are not of the shape that it promises: no field less, and none more. */
export function misfits(document: OpenApi): string[] {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6, formats: { binary: true } });
  formats.default(ajv);
  ajv.addSchema(closed(document), ROOT);
  const pointers = [...examplePointers(document)];
  return pointers.flatMap(({ what, pointer, example }) => {
    const validate = ajv.compile({ $ref: `${ROOT}#${pointer}/schema` });
    return validate(example) ? [] : [`The example of ${what} does not fit: ${ajv.errorsText(validate.errors)}`];
  });
}

/** The document with no more fields in what is answered than those it names. */
const closed = (document: OpenApi): object =>
  JSON.parse(JSON.stringify(document), (_, value) =>
    value?.type === "object" && value.properties && !("additionalProperties" in value)
      ? { ...value, additionalProperties: false }
      : value,
  );

function* examplePointers(document: OpenApi) {
  for (const [id, { path, method, requestBody, responses }] of operationsOf(document)) {
    const operation = `/paths/${escaped(path)}/${method}`;
    yield* examplesOf(`the request of ${id}`, `${operation}/requestBody`, requestBody);
    for (const [status, response] of Object.entries(responses)) {
      yield* examplesOf(`the answer of ${id}`, `${operation}/responses/${status}`, response);
    }
  }
  for (const [name, response] of Object.entries(document.components.responses)) {
    yield* examplesOf(`the refusal ${name}`, `/components/responses/${name}`, response);
  }
}

function* examplesOf(what: string, pointer: string, holder: { content?: Content } | undefined) {
  for (const [type, { example }] of Object.entries(holder?.content ?? {})) {
    if (example !== undefined) yield { what, pointer: `${pointer}/content/${escaped(type)}`, example };
  }
}

/** As a part of a JSON pointer in a URI. */
const escaped = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
