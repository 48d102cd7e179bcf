import { inArray, sql } from "drizzle-orm";
import { type ProductRow, selectProducts } from "../../../catalogue/products/public.ts";
import { type CategoryStep, categoryKey } from "../../../domain/category-path.ts";
import { joinedSlugs, numberedSlug, slugOf } from "../../../domain/slug.ts";
import type { Database } from "../../../platform/db/client.ts";
import { selectFreeNumbers } from "../../../platform/db/free-slugs.ts";
import { categories, files, products } from "../../../platform/db/schema.ts";
import type { RowFailure } from "../../../platform/jobs/run-slice.ts";
import { selectSpelling, type TagSpelling, tagSpelling } from "../record-fields.ts";
import type { PathStep, ProductRecord } from "./shape.ts";

/** Existing rows that a slice of records refers to. */
export type KnownProducts = {
  /** By SKU, with the products of variants. */
  products: Map<string, ProductRow>;
  /** Returns the slug of a name or SKU, regardless of whether it is taken. */
  slugOf: (text: string) => string;
  /** Product slugs that are taken. */
  slugs: Set<string>;
  /** Ids of earlier records. The second of two records with one id gets a new id. */
  ids: Set<number>;
  categories: (CategoryStep & { path: CategoryStep[] })[];
  /** Numbers that make category slugs unique. */
  freeNumbers: Map<string, number>;
  files: Set<number>;
  spelled: TagSpelling;
};

const listed = (values: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Looks up everything that a slice of records names, in one round trip. */
export async function findKnownProducts(db: Database, records: ProductRecord[]): Promise<KnownProducts> {
  const named = records.flatMap(({ category }) => category ?? []);
  const steps = named.flatMap((each) => ("path" in each ? each.path : []));
  const names = steps.map(({ name }) => name);
  const slugOf = await slugsOf([...records.flatMap(slugTexts), ...names]);
  const slugs = records.flatMap((record) => [record.sent.slug, ...slugCandidates(record, slugOf)]);
  const fileIds = records.flatMap(({ sent }) => sent.file_ids ?? []);
  const skus = records.map(({ sku }) => sku);
  const parentSkus = records.flatMap(({ variantOf }) => variantOf?.parentSku ?? []);
  const [found, takenSlugs, foundCategories, foundFiles, freeNumbers, [spelling]] = await db.batch([
    selectProducts(db, "all").where(
      sql`${products.sku} IN ${listed([...skus, ...parentSkus])}
        OR ${products.id} IN (SELECT parent_id FROM products WHERE sku IN ${listed(skus)})`,
    ),
    db
      .select({ slug: products.slug })
      .from(products)
      .where(inArray(products.slug, listed(slugs))),
    db
      .select({ id: categories.id, name: categories.name, slug: categories.slug, path: categories.path })
      .from(categories)
      .where(
        sql`slug IN ${listed(named.flatMap((each) => ("slug" in each ? [each.slug] : [])))}
          OR name COLLATE NOCASE IN ${listed(names)}
          OR id IN ${listed(records.flatMap(({ sent }) => sent.category_id ?? []))}`,
      )
      .orderBy(categories.id),
    db
      .select({ id: files.id })
      .from(files)
      .where(inArray(files.id, listed(fileIds))),
    selectFreeNumbers(db, "categories", [...new Set(steps.map(({ slug, name }) => slug ?? slugOf(name)))]),
    selectSpelling(db, records),
  ]);
  return {
    products: new Map(found.map((product) => [product.sku, product])),
    slugOf,
    slugs: new Set(takenSlugs.map(({ slug }) => slug)),
    ids: new Set(),
    categories: foundCategories,
    freeNumbers: new Map(freeNumbers.map(({ slug, n }) => [slug, n])),
    files: new Set(foundFiles.map(({ id }) => id)),
    spelled: tagSpelling(spelling?.tags ?? []),
  };
}

/** Makes the slugs of texts in advance, because the transliteration of other scripts is loaded first. */
async function slugsOf(texts: Iterable<string>): Promise<(text: string) => string> {
  const made = new Map<string, string>();
  for (const text of texts) if (!made.has(text)) made.set(text, await slugOf(text));
  return (text) => made.get(text) ?? "";
}

type NamedProduct = Pick<ProductRecord, "sku" | "sent" | "variantOf">;

/** The parts that the slug of a product is built from. A variant often has no name of its own. */
const slugTexts = ({ sku, sent: { name }, variantOf }: NamedProduct): [string, string] =>
  variantOf ? [sku, (variantOf.values ?? []).map(({ value }) => value).join(" ")] : [String(name), sku];

/** Returns the slug of a product's name, and one of its name and SKU in case the first is taken. Variants have their SKU and values. */
export const slugCandidates = (record: NamedProduct, made: (text: string) => string): [string, string] => {
  const [name, sku] = slugTexts(record);
  return [made(name), joinedSlugs(made(name), made(sku))];
};

/** Returns the first number that makes a slug unique. */
export function firstFree(slug: string, from: number, taken: ReadonlySet<string>): string {
  let n = from;
  while (taken.has(numberedSlug(slug, n))) n++;
  return numberedSlug(slug, n);
}

/** Categories to create first, by the key of their path, each after its parent. */
export type NewCategories = Map<string, CategoryCreate>;

type CategoryCreate = PathStep & { slug: string; level: number; parentId: number | null; parentSlug: string | null };

/** An existing category, none, or the slug of one to create first. An undefined id leaves the category unchanged. */
export type CategoryChoice = { id: number | null | undefined; newSlug: string | null };

/** Finds or creates a row's category. Slugs do not identify one: "Class A" and "Class A+" share a slug. */
export function chooseCategory(
  { line, category, sent }: ProductRecord,
  known: KnownProducts,
  made: NewCategories,
): CategoryChoice | { failure: RowFailure } {
  if (!category) {
    const id = sent.category_id;
    if (typeof id !== "number" || known.categories.some((each) => each.id === id))
      return { id: undefined, newSlug: null };
    return unknown(line, "category_id", `category ${id} does not exist`);
  }
  if ("slug" in category) {
    const found = known.categories.find(({ slug }) => slug === category.slug);
    return found ? { id: found.id, newSlug: null } : unknown(line, "category_slug", "belongs to no category");
  }
  return placeOfPath(category.path, known, made);
}

/** Finds the category of a path, or plans it with its missing ancestors. */
function placeOfPath(path: PathStep[], known: KnownProducts, made: NewCategories): CategoryChoice {
  const [last, key] = [path.at(-1), categoryKey(path)];
  if (!last) return { id: null, newSlug: null };
  const named = known.categories.filter((each) => categoryKey(each.path) === key);
  const found =
    named.find(({ slug }) => slug === last.slug) ?? named.find(({ name }) => name === last.name) ?? named[0];
  if (found) return { id: found.id, newSlug: null };
  const planned = made.get(key);
  if (planned) return { id: undefined, newSlug: planned.slug };
  const parent = placeOfPath(path.slice(0, -1), known, made);
  const slug = freeSlug(last.slug ?? known.slugOf(last.name), known, made);
  const place = { parentId: parent.id ?? null, parentSlug: parent.newSlug };
  made.set(key, { ...last, slug, level: path.length, ...place });
  return { id: undefined, newSlug: slug };
}

const unknown = (line: number, field: string, message: string) => ({
  failure: { line, field, code: "unknown_reference", message },
});

function freeSlug(wanted: string, { freeNumbers }: KnownProducts, made: NewCategories): string {
  return firstFree(wanted, freeNumbers.get(wanted) ?? 1, new Set(Array.from(made.values(), ({ slug }) => slug)));
}
