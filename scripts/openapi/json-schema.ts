import type * as z from "zod";
import { createSchema, type ZodOpenApiOverride } from "zod-openapi";

type Override = Extract<ZodOpenApiOverride, (context: never) => void>;

/** Corrects JSON Schemas of zod schemas that are too strict or too loose. */
export const asDocumented: Override = ({ jsonSchema, zodSchema, io }) => {
  const { def } = zodSchema._zod;
  // Removes JavaScript's limits of integers.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // JavaScript escapes slashes, which other engines refuse.
  if (jsonSchema.pattern !== undefined) {
    jsonSchema.pattern = jsonSchema.pattern.replaceAll(/\\(.)/g, (pair, character) => (character === "/" ? "/" : pair));
  }
  // Generators of OpenAPI 3.0 do not know `const`.
  if (jsonSchema.const !== undefined) {
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  // Responses may get more fields: clients ignore unknown ones.
  if (io === "output" && jsonSchema.type === "object" && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties;
  }
  // A list whose length is checked first has its item type in the second half of the pipe.
  if (io === "input" && def.type === "pipe" && isListOfAnything(def)) {
    const { schema } = createSchema(def.out as z.ZodType, { io, opts: { override: asDocumented } });
    Object.assign(jsonSchema, { ...schema, ...jsonSchema, items: "items" in schema ? schema.items : {} });
  }
};

function isListOfAnything({ in: measured }: z.core.$ZodPipeDef): boolean {
  const { def } = (measured as z.ZodType)._zod;
  return def.type === "array" && (def as z.core.$ZodArrayDef).element._zod.def.type === "unknown";
}
