import { badRequest, fieldError } from "../../domain/errors.ts";

/** Values of a form by field, in order of appearance. */
export type FormFields = Record<string, string[]>;

/** Maximum number of fields in a form. */
export const MOST_FIELDS = 200;

export const tooManyFields = (limit: number) =>
  badRequest(fieldError("body", "too_big", `must have at most ${limit} fields`, { limit }));

/** Parses a URL-encoded form, or refuses it unparsed if it has more than `most` fields. */
export function parseForm(text: string, most = MOST_FIELDS): FormFields {
  if (hasMoreParts(text, most)) throw tooManyFields(most);
  if (!areEscapesUtf8(text)) throw badRequest(fieldError("body", "invalid_format", "must be valid UTF-8"));
  return fieldsByName([...new URLSearchParams(text)].map(([name, value]) => [name, value.replaceAll("\r\n", "\n")]));
}

/** Escapes that are not UTF-8 would be replaced silently. */
function areEscapesUtf8(text: string): boolean {
  try {
    for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}

/** True if an encoded form or query has more than `most` parts. */
export function hasMoreParts(encoded: string, most: number): boolean {
  let parts = 1;
  for (let at = encoded.indexOf("&"); at >= 0 && parts <= most; at = encoded.indexOf("&", at + 1)) parts++;
  return parts > most;
}

export function fieldsByName(fields: Iterable<readonly [string, string]>): FormFields {
  // Has no prototype, because a field may be called `constructor`.
  const byName: FormFields = Object.create(null);
  for (const [name, value] of fields) addField(byName, name, value);
  return byName;
}

export function addField(fields: FormFields, name: string, value: string): void {
  const values = fields[name];
  if (values) values.push(value);
  else fields[name] = [value];
}
