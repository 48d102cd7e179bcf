import type * as z from "zod";
import { createSchema, type ZodOpenApiOverride } from "zod-openapi";

type Override = Extract<ZodOpenApiOverride, (context: never) => void>;

/** What a JSON Schema of a zod schema says too much or too little. */
export const asDocumented: Override = ({ jsonSchema, zodSchema, io }) => {
  const { def } = zodSchema._zod;
  // Every whole number would tell the bounds of JavaScript's.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // An answer may get more fields one day: who reads it passes over what they do not know.
  if (io === "output" && jsonSchema.type === "object" && jsonSchema.additionalProperties === false) {
    delete jsonSchema.additionalProperties;
  }
  // A list that is measured before it is read says in its second half what is in it.
  if (io === "input" && def.type === "pipe" && isListOfAnything(def)) {
    const { schema } = createSchema(def.out as z.ZodType, { io, opts: { override: asDocumented } });
    Object.assign(jsonSchema, { ...schema, ...jsonSchema, items: "items" in schema ? schema.items : {} });
  }
};

function isListOfAnything({ in: measured }: z.core.$ZodPipeDef): boolean {
  const { def } = (measured as z.ZodType)._zod;
  return def.type === "array" && (def as z.core.$ZodArrayDef).element._zod.def.type === "unknown";
}
