import type { Context } from "hono";
import type * as z from "zod";
import { MOST_IDS } from "../../back-office/bulk-actions/schemas.ts";
import { ApiError, badRequest, type FieldError, tooLarge, unsupportedMediaType } from "../../domain/errors.ts";
import { markdownOfHtml } from "../../domain/html-markdown.ts";
import { receiveUpload } from "../../downloads/files/uploads/upload-form.ts";
import { bodyText, type FormFields, fieldsByName, MOST_FIELDS, parseForm } from "../../platform/http/body-parsing.ts";
import { valid } from "../../platform/http/validate.ts";
import type { IfMatch } from "../../platform/http/version.ts";
import { isTyped } from "../pickers/picker.ts";
import { dirtyKinds, ifMatchOf } from "./edit.ts";
import { type FormInputs, type FormState, formFor, inPanelWords, inShopDays } from "./inputs.ts";
import type { FieldKind, Values } from "./kinds.ts";

const TYPE = "application/x-www-form-urlencoded";

/** A form as sent by a browser. */
export type SentForm = {
  action: string;
  values: Values;
  /** Reads the form's fields by `kinds` and validates them with the API's schema. */
  read: <Schema extends z.ZodType>(schema: Schema, kinds: Record<string, FieldKind>) => z.output<Schema>;
  /** Reads only changed fields, so that values that a form cannot show in full stay unchanged. */
  readChange: <Schema extends z.ZodType>(schema: Schema, kinds: Record<string, FieldKind>) => z.output<Schema>;
  /** The version that the page showed, for If-Match. */
  ifMatch: IfMatch;
};

/** The form was sent without changes. */
export class NothingChanged extends Error {}

export const isForm = (c: Context): boolean =>
  c.req.method === "POST" && (c.req.header("Content-Type")?.toLowerCase().startsWith(TYPE) ?? false);

const isMultipart = (c: Context): boolean =>
  c.req.method === "POST" && /^multipart\/form-data/i.test(c.req.header("Content-Type") ?? "");

/** Maximum number of typed characters, because the page shows each up to six times. */
const MAX_TYPED = 1_000_000;

/** Forms with fields for each row. */
const CHOOSES_ROWS = /^\/admin\/(products|orders)\/bulk$|^\/admin\/products\/\d+\/variants$/;
export const MOST_FIELDS_OF_ROWS = MOST_FIELDS + MOST_IDS;

export async function readForm(c: Context): Promise<SentForm> {
  if (!isForm(c)) throw unsupportedMediaType(TYPE);
  const most = CHOOSES_ROWS.test(c.req.path) ? MOST_FIELDS_OF_ROWS : MOST_FIELDS;
  return sentForm(c.req.path, inMarkdown(parseForm(await bodyText(c.req, "invalid_format"), most)));
}

/** Converts texts from the formatted editor to Markdown. It sends HTML under the name of the field with ".html". */
function inMarkdown(fields: FormFields): FormFields {
  for (const name of Object.keys(fields).filter((each) => each.endsWith(".html"))) {
    fields[name.slice(0, -".html".length)] = fields[name]?.map(markdownOfHtml) ?? [];
    delete fields[name];
  }
  return fields;
}

export function sentForm(action: string, values: Values): SentForm {
  const read: SentForm["read"] = (schema, kinds) => {
    const { json, refused } = withRefusals(values, kinds);
    try {
      const read = valid(schema, json);
      if (refused.length === 0) return read;
    } catch (error) {
      if (!(error instanceof ApiError) || refused.length === 0) throw error;
      const isRefused = (name: string) => refused.some(({ field }) => field === name);
      throw badRequest([...refused, ...error.fields.filter(({ field }) => !isRefused(field))]);
    }
    throw badRequest(refused);
  };
  const readChange: SentForm["read"] = (schema, kinds) => {
    const changed = dirtyKinds(kinds, values);
    if (Object.keys(changed).length === 0) throw new NothingChanged();
    return read(schema, changed);
  };
  return { action, values, read, readChange, ifMatch: ifMatchOf(values) };
}

/**
 * Reads the input of a form with a file up to the file. Null for other requests. Errors are reported when the form is sent
 * again.
 */
export async function readTyped(c: Context): Promise<Values | null> {
  if (!isMultipart(c)) return null;
  const typed: FormFields = Object.create(null);
  await receiveUpload(c.req.raw, async () => undefined, typed).catch(() => undefined);
  if (JSON.stringify(typed).length > MAX_TYPED) throw tooLarge(MAX_TYPED, "1 MB, without its file");
  return typed;
}

/** The valid values of a form that is still being filled in. */
export function readSoFar<Shape extends Record<string, z.ZodType>>(
  values: Values,
  kinds: Record<string, FieldKind>,
  shape: Shape,
) {
  const { json } = withRefusals(values, kinds);
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const { success, data } = schema.safeParse(json[name]);
      return success ? [[name, data]] : [];
    }),
  ) as { [Name in keyof Shape]?: z.output<Shape[Name]> };
}

/** Fields that cannot be converted stay as typed, so that the schema's errors about others are shown with theirs. */
function withRefusals(values: Values, kinds: Record<string, FieldKind>) {
  const refused: FieldError[] = [];
  const reporting = Object.entries(kinds).map(([name, kind]): [string, FieldKind] => [
    name,
    (typed) => {
      try {
        return kind(typed);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused.push(...error.fields);
        return typed[0];
      }
    },
  ]);
  return { json: toJson(values, Object.fromEntries(reporting)), refused };
}

/** `shipping_address.city` is a nested field. */
export function toJson(values: Values, kinds: Record<string, FieldKind>): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const [path, kind] of Object.entries(kinds)) {
    const value = kind(values[path] ?? []);
    if (value === undefined) continue;
    const outer = path.split(".");
    const last = outer.pop() ?? path;
    const object = outer.reduce((parent, name) => {
      parent[name] ??= {};
      return parent[name] as Record<string, unknown>;
    }, json);
    object[last] = value;
  }
  return json;
}

type Filters<Query, Name extends string> = { query: Query; form: FormState<Name> };

/**
 * Reads a list's filters from the page's URL: `query` in the API's shape, `form` for its FilterBar. An invalid filter
 * is ignored: it stays in its field with an error, and the page is a 400.
 */
export function readFilters<Schema extends z.ZodType, Name extends keyof z.output<Schema> & string = never>(
  c: Context,
  schema: Schema,
  inputs = {} as FormInputs<Name>,
): Filters<z.output<Schema>, Name> {
  // Browsers send empty fields too.
  const filled = [...new URL(c.req.url).searchParams].filter(([, value]) => value.trim() !== "");
  const values = fieldsByName(filled);
  const form = { ...formFor(null, c.req.path, { inputs }), values };
  const asked = Object.entries(inShopDays(form, Object.fromEntries(filled.filter(([name]) => !isTyped(name)))));
  try {
    return { query: valid(schema, Object.fromEntries(asked)), form };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    c.status(400);
    const errors = inPanelWords(error.errors);
    const good = asked.filter(([name]) => !(name in errors));
    return { query: valid(schema, Object.fromEntries(good)), form: { ...form, errors } };
  }
}
