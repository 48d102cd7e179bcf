import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"];

/** A list that is measured before it is read has the type of its items in the second half of a pipe. */
const readLists: Override = ({ zodSchema: { _zod }, jsonSchema }) => {
  const { def } = _zod;
  if (def.type !== "pipe" || jsonSchema.type !== "array" || JSON.stringify(jsonSchema.items) !== "{}") return;
  const { items } = jsonSchemaOf((def as z.core.$ZodPipeDef).out as z.ZodType);
  if (items) jsonSchema.items = items;
};

const jsonSchemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", override: readLists });

/** JSON Schema of a tool's arguments. */
export const inputSchemaOf = (schema: z.ZodObject): Tool["inputSchema"] => jsonSchemaOf(schema) as Tool["inputSchema"];
