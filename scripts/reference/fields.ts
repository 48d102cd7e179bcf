import { html } from "hono/html";
import { document, nameOf, resolve } from "../openapi/published.ts";
import type { JsonSchema } from "../openapi/shape.ts";
import { type Html, prose } from "./text.ts";

/** Objects to explain on a page, by name. Grows while the page is written. */
export type Objects = Set<string>;

const isNull = ({ type }: JsonSchema): boolean => type === "null";

/** The alternatives of a schema without null, and whether it may be null. */
function alternatives(schema: JsonSchema): { kinds: JsonSchema[]; nullable: boolean } {
  const all = schema.anyOf ?? schema.oneOf ?? [schema];
  return { kinds: all.filter((one) => !isNull(one)), nullable: all.some(isNull) };
}

/** Names a type in a few words, with links to named objects. */
export function typeOf(schema: JsonSchema, objects: Objects): Html {
  const { kinds, nullable } = alternatives(schema);
  const words = kinds.map((kind, index) => html`${index > 0 ? " or " : ""}${kindOf(kind, objects)}`);
  return html`${words}${nullable ? " or null" : ""}`;
}

function kindOf(schema: JsonSchema, objects: Objects): Html {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    const target = resolve(schema);
    if (target.enum) return html`<a href="/docs/errors#codes">${name}</a>`;
    objects.add(name);
    return html`<a href="#${name}">${name}</a>`;
  }
  if (schema.anyOf ?? schema.oneOf) return typeOf(schema, objects);
  if (schema.type === "array") {
    const { items = {} } = schema;
    return html`list of ${typeOf(items, objects)}${items.type && items.type !== "array" ? "s" : ""}`;
  }
  if (schema.format === "binary") return html`file`;
  if (schema.format === "date-time") return html`time`;
  return html`${schema.format ?? schema.type ?? "any value"}`;
}

/** True for the limits that every integer, or every id, has. */
const isUnbounded = (minimum: number | undefined, maximum: number | undefined): boolean =>
  minimum === Number.MIN_SAFE_INTEGER || (minimum === 1 && maximum === undefined);

/** Limits of a value, in words. */
function limitsOf(schema: JsonSchema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, default: initial } = schema;
  const upper = maximum === undefined || maximum > 1e12 ? undefined : maximum;
  const between = (least: number | undefined, most: number | undefined, unit: string): string[] => {
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
    if (most !== undefined) return [`at most ${most}${unit}`];
    return least !== undefined ? [`at least ${least}${unit}`] : [];
  };
  return [
    ...between(isUnbounded(minimum, upper) ? undefined : minimum, upper, ""),
    ...between(minLength === 1 ? undefined : minLength, maxLength, " characters"),
    ...between(minItems, maxItems, " items"),
    ...(initial === undefined || initial === "" || (Array.isArray(initial) && initial.length === 0)
      ? []
      : [`default ${typeof initial === "string" ? initial : JSON.stringify(initial)}`]),
  ];
}

const choicesOf = (schema: JsonSchema): unknown[] => alternatives(schema).kinds.flatMap((kind) => kind.enum ?? []);

/** The fields of an inline object schema, including one in a list or with null. */
function inner(schema: JsonSchema): JsonSchema | undefined {
  const { kinds } = alternatives(schema);
  for (const kind of kinds) {
    if (kind.properties) return kind;
    const within = kind.items && !kind.items.$ref ? inner(kind.items) : undefined;
    if (within) return within;
  }
  return undefined;
}

export type Field = { name: string; schema: JsonSchema; required: boolean; description?: string | undefined };

/** A list of fields or parameters, each with its type, limits and meaning. */
export const fieldList = (fields: Field[], objects: Objects): Html =>
  html`<dl class="fields">${fields.map((field) => entry(field, objects))}</dl>`;

function entry({ name, schema, required, description = schema.description }: Field, objects: Objects): Html {
  const choices = choicesOf(schema);
  const within = inner(schema);
  const limits = [schema, ...alternatives(schema).kinds.filter((kind) => kind !== schema)].flatMap(limitsOf);
  const facts = html`${typeOf(schema, objects)}${limits.map((limit) => `, ${limit}`)}`;
  return html`<div>
<dt><code>${name}</code> <span class="type">${facts}</span>${required ? html` <span class="required">required</span>` : ""}</dt>
<dd>${description ? html`<p>${prose(description)}</p>` : ""}${
    choices.length > 0
      ? html`<p class="choices">One of ${choices.map((one) => html`<code>${typeof one === "string" ? one || '""' : JSON.stringify(one)}</code> `)}</p>`
      : ""
  }${
    within ? html`<details><summary>Fields of <code>${name}</code></summary>${fieldsOf(within, objects)}</details>` : ""
  }</dd></div>`;
}

/** The fields of an object. `always` means that a response has all of them, so that none is marked. */
export function fieldsOf(schema: JsonSchema, objects: Objects, always = false): Html {
  const required = always ? [] : (schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]): Field => ({ name, schema: field, required: required.includes(name) }),
  );
  return fieldList(fields, objects);
}

/** Explains each named object that the page mentioned, and those that they mention in turn. */
export function objectSections(objects: Objects): Html[] {
  // Iterating a set also visits items added meanwhile.
  return Array.from(objects, (name) => {
    const schema = document.components.schemas[name] ?? {};
    const variants = schema.anyOf ?? schema.oneOf;
    return html`<section class="object" id="${name}">
<h3>${name}</h3>
${schema.description ? html`<p>${prose(schema.description)}</p>` : ""}
${variants ? html`<p>One of: ${typeOf(schema, objects)}.</p>` : fieldsOf(schema, objects, true)}
</section>`;
  });
}
