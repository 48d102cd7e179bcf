import { slugOf } from "../../../domain/slug.ts";
import type { JobFailure } from "../../../platform/jobs/kind.ts";
import type { Known } from "./plan-queries.ts";
import type { NamedCategory, ProductRecord } from "./shape.ts";

/** Categories that are made first, by their slugs. */
export type NewCategories = Map<string, NamedCategory & { slug: string }>;

/** A category that is there, none, or the slug of one that is made first; an id that is undefined leaves it as it is. */
export type CategoryChoice = { id: number | null | undefined; newSlug: string | null };

/** Finds the category of a row by its slug or its name, or has it made. */
export function chooseCategory(
  { line, category, sent }: ProductRecord,
  { categories }: Known,
  made: NewCategories,
): CategoryChoice | { failure: JobFailure } {
  if (!category) {
    const id = sent.category_id;
    if (typeof id !== "number" || categories.some((each) => each.id === id)) return { id: undefined, newSlug: null };
    const message = `category ${id} does not exist`;
    return { failure: { line, field: "category_id", code: "unknown_reference", message } };
  }
  const slug = category.slug ?? slugOf(category.name);
  const found =
    categories.find((each) => each.slug === slug) ??
    (category.slug === undefined ? categories.find((each) => each.name === category.name) : undefined);
  if (found) return { id: found.id, newSlug: null };
  if (!made.has(slug)) made.set(slug, { ...category, slug });
  return { id: undefined, newSlug: slug };
}
