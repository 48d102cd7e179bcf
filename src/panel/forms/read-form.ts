import type { Context } from "hono";
import type * as z from "zod";
import { unsupportedMediaType } from "../../errors.ts";
import { valid } from "../../http/validate.ts";
import type { IfMatch } from "../../http/version.ts";
import type { Kind } from "./kinds.ts";

const TYPE = "application/x-www-form-urlencoded";

/** A form as a browser sent it. */
export type SentForm = {
  action: string;
  values: Record<string, readonly string[]>;
  /** Its fields by `kinds`, in the shape of the API's schema; what that refuses is refused here, in the same words. */
  read: <Schema extends z.ZodType>(schema: Schema, kinds: Record<string, Kind>) => z.output<Schema>;
  /** The version that the page showed, as the API takes it. */
  ifMatch: IfMatch;
};

export async function readForm(c: Context): Promise<SentForm> {
  if (!c.req.header("Content-Type")?.toLowerCase().startsWith(TYPE)) throw unsupportedMediaType(TYPE);
  const values = valuesOf(await c.req.formData());
  const read: SentForm["read"] = (schema, kinds) => valid(schema, toJson(values, kinds));
  return { action: c.req.path, values, read, ifMatch: { "if-match": values.if_match?.[0] } };
}

export function valuesOf(fields: Iterable<[string, unknown]>): Record<string, string[]> {
  // Without a prototype: a field may be called `constructor`.
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of fields) values[name] = [...(values[name] ?? []), String(value).replaceAll("\r\n", "\n")];
  return values;
}

/** `shipping_address.city` is a field of a field. */
export function toJson(
  values: Record<string, readonly string[]>,
  kinds: Record<string, Kind>,
): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [path, kind] of Object.entries(kinds)) {
    const value = kind(values[path] ?? []);
    if (value === undefined) continue;
    const [name = path, inner] = path.split(".");
    json[name] = inner === undefined ? value : { ...Object(json[name]), [inner]: value };
  }
  return json;
}
