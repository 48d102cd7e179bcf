import { categoryKey } from "../../../domain/slug.ts";
import type { JobFailure } from "../../../platform/jobs/kind.ts";
import type { Known } from "./plan-queries.ts";
import type { NamedCategory, ProductRecord } from "./shape.ts";
import { firstFree } from "./slugs.ts";

/** Categories to create first, by key. */
export type NewCategories = Map<string, NamedCategory & { name: string; slug: string }>;

/** An existing category, none, or the slug of one to create first. An undefined id leaves the category unchanged. */
export type CategoryChoice = { id: number | null | undefined; newSlug: string | null };

/** Finds or creates a row's category. Slugs do not identify one: "Class A" and "Class A+" share a slug. */
export function chooseCategory(
  { line, category, sent }: ProductRecord,
  known: Known,
  made: NewCategories,
): CategoryChoice | { failure: JobFailure } {
  if (!category) {
    const id = sent.category_id;
    if (typeof id !== "number" || known.categories.some((each) => each.id === id))
      return { id: undefined, newSlug: null };
    return unknown(line, "category_id", `category ${id} does not exist`);
  }
  const { name, slug } = category;
  if (name === undefined) {
    const found = known.categories.find((each) => each.slug === slug);
    return found ? { id: found.id, newSlug: null } : unknown(line, "category_slug", "belongs to no category");
  }
  const key = categoryKey(name);
  const named = known.categories.filter((each) => categoryKey(each.name) === key);
  const found = named.find((each) => each.slug === slug) ?? named.find((each) => each.name === name) ?? named[0];
  if (found) return { id: found.id, newSlug: null };
  const planned = made.get(key) ?? { ...category, name, slug: freeSlug(slug ?? known.slugOf(name), known, made) };
  made.set(key, planned);
  return { id: undefined, newSlug: planned.slug };
}

const unknown = (line: number, field: string, message: string) => ({
  failure: { line, field, code: "unknown_reference", message },
});

function freeSlug(wanted: string, { freeNumbers }: Known, made: NewCategories): string {
  return firstFree(wanted, freeNumbers.get(wanted) ?? 1, new Set(Array.from(made.values(), ({ slug }) => slug)));
}
