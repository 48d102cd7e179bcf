import type { Child } from "hono/jsx";

/** A rendered field with its label. */
export type RenderedField = {
  id: string;
  label: Child;
  /** Labels of choices. Typed values are their own label. */
  choices: Map<string, string>;
};

/** Fields by name. A field is added as it is rendered, so that errors can name it and link to it. */
export type RenderedFields = Map<string, RenderedField>;

/** The field of a path and its entry: `images.0.url` belongs to the first of `images`. */
export function fieldAt(fields: RenderedFields, path: string): { field: RenderedField; position?: number } | undefined {
  // Loops over fields rather than parts of the path, which can contain a typed name with thousands of dots.
  const names = [...fields.keys()].filter((name) => path === name || path.startsWith(`${name}.`));
  const [name = path] = names.toSorted((a, b) => b.length - a.length);
  const field = fields.get(name);
  if (!field) return undefined;
  const [, index] = /^\.(\d+)(?:\.|$)/.exec(path.slice(name.length)) ?? [];
  return index === undefined ? { field } : { field, position: Number(index) + 1 };
}

/** A readable label for an API field that the page does not show. */
export function fieldLabel(path: string): string {
  const words = path.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
