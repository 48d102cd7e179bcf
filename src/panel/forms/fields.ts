import type { Child } from "hono/jsx";

/** A field that the page renders, with its label. */
export type RenderedField = {
  id: string;
  label: Child;
  /** What each value that can be chosen is called; what is typed is called as it is. */
  choices: Map<string, string>;
};

/** By name. A field joins as it is rendered, so that what is said about its form can name it and link to it. */
export type RenderedFields = Map<string, RenderedField>;

/** The field that a path is about, and which of its entries: `images.0.url` is said of the first of `images`. */
export function fieldAt(fields: RenderedFields, path: string): { field: RenderedField; position?: number } | undefined {
  // The loop is over fields, not over parts of the path: a path can contain a typed name with thousands of dots.
  const names = [...fields.keys()].filter((name) => path === name || path.startsWith(`${name}.`));
  const [name = path] = names.toSorted((a, b) => b.length - a.length);
  const field = fields.get(name);
  if (!field) return undefined;
  const [, index] = /^\.(\d+)(?:\.|$)/.exec(path.slice(name.length)) ?? [];
  return index === undefined ? { field } : { field, position: Number(index) + 1 };
}

/** A readable label for a wire name that no field of the page has. */
export function fieldLabel(path: string): string {
  const words = path.replaceAll(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
