import { beginningInWords } from "../../domain/countries.ts";
import { categoryNameOf } from "../../domain/slug.ts";
import type { JobFailure } from "../../platform/jobs/kind.ts";

type Fields = Record<string, unknown>;

/** How long texts may be, and whether they are a line or have several. */
export type TextLimits = Readonly<Record<string, { most: number; isLine: boolean }>>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROLS = /[\x00-\x1f\x7f-\x9f]+/g;

const limitedTo = (name: string, text: string, most: number): string =>
  beginningInWords(name === "category" ? categoryNameOf(text.split(" > ")) : text, most);

/** Fields whose texts can be stored: a control character within a line becomes a space, and what is too long is cut, with a warning. */
export function fitted(line: number, fields: Fields, limits: TextLimits): { fields: Fields; warnings: JobFailure[] } {
  const warnings: JobFailure[] = [];
  const changed: Fields = {};
  for (const [name, { most, isLine }] of Object.entries(limits)) {
    const sent = fields[name];
    if (typeof sent !== "string") continue;
    const text = isLine ? sent.replaceAll(CONTROLS, " ").trim() : sent;
    const message = `is longer than ${most} characters and was shortened`;
    changed[name] = text;
    if (text.length <= most) continue;
    warnings.push({ line, field: name, code: "too_big", message, isWarning: true });
    changed[name] = limitedTo(name, text, most);
  }
  return { fields: { ...fields, ...changed }, warnings };
}

/** Fields with values of an enumeration as the API writes them: in small letters without spaces around them. */
export const inSmallLetters = (fields: Fields, names: readonly string[]): Fields => ({
  ...fields,
  ...Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name];
      return typeof value === "string" ? [[name, value.trim().toLowerCase()]] : [];
    }),
  ),
});
