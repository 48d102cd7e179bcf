import * as z from "zod";
import { coded, documented } from "../../domain/fields.ts";

// Sparse fieldsets: `?fields=id,name` requests some fields of a record.

/** The query parameter: names of fields of `schema`, separated by commas. */
export function fieldsParameter<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const names = Object.keys(schema.shape);
  const isName = (name: string): name is keyof Shape & string => names.includes(name);
  return z
    .string()
    .transform((text, context) => {
      const asked = [...new Set(text.split(","))];
      const unknown = asked.filter((name) => !isName(name));
      if (unknown.length > 0) {
        const error = `has unknown fields: ${unknown.slice(0, 3).join(", ")}. Choose from ${names.join(", ")}`;
        context.addIssue({ code: "custom", message: error, ...coded("unknown_field") });
      }
      return asked.filter(isName);
    })
    .optional()
    .meta(documented({ type: "string", pattern: `^(${names.join("|")})(,(${names.join("|")}))*$` }))
    .describe("Comma-separated field names. The response contains only these fields");
}

/** Returns a record, or its requested fields. */
export function pickFields<T extends object>(whole: T, fields: readonly (keyof T)[] | undefined): T | Partial<T> {
  if (!fields) return whole;
  const part: Partial<T> = {};
  for (const field of fields) part[field] = whole[field];
  return part;
}
