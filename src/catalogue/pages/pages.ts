import { and, desc, eq, getViewSelectedFields, type SQL, sql } from "drizzle-orm";
import { shop } from "../../back-office/shop/tables.ts";
import { notFound } from "../../domain/errors.ts";
import type { Language } from "../../domain/language.ts";
import type { Database } from "../../platform/db/client.ts";
import type { PageRow, PageVersionQuery } from "./schemas.ts";
import { currentPages, type PageSlug, pageSlugs, pageVersions } from "./tables.ts";

const { id, slug, language, title, createdAt } = getViewSelectedFields(currentPages);

/** A page without its text. */
const summary = { id, slug, language, title, createdAt };

/** Sorts a text in the reader's language before one in the shop's, and these before all others. */
const byPreference = (preferred: Language | null | undefined) =>
  sql`CASE ${language} WHEN ${preferred ?? null} THEN 0 WHEN (SELECT ${shop.language} FROM ${shop}) THEN 1 ELSE 2 END`;

/** Query for the current pages in all languages, the reader's first, and whether orders must accept the terms. */
export const selectPages = (db: Database, preferred: Language | null | undefined) =>
  db
    .select({ ...summary, termsRequired: termsRequired.mapWith(Boolean) })
    .from(currentPages)
    .orderBy(byPreference(preferred), id);
export type CurrentPage = Awaited<ReturnType<typeof selectPages>>[number];

/** Each page in the first of its languages. */
export const inOneLanguage = (found: readonly CurrentPage[]): CurrentPage[] =>
  pageSlugs.flatMap((each) => found.find((page) => page.slug === each) ?? []);

/** The shop's pages, each in one language: the reader's if it has a text, or else the shop's, or else any. */
export const listPages = async (db: Database, preferred?: Language | null): Promise<CurrentPage[]> =>
  inOneLanguage(await selectPages(db, preferred));

const termsRequired = sql<boolean>`coalesce((SELECT ${shop.termsRequired} FROM ${shop}), FALSE)`;

/**
 * Condition that the accepted version of the terms is current. Null passes if the shop requires none. Settings are read only if
 * the shop has terms.
 */
export const termsAreCurrent = (version: number | null): SQL =>
  version === null
    ? sql`NOT EXISTS (SELECT 1 FROM current_pages CROSS JOIN shop WHERE slug = 'terms' AND terms_required)`
    : sql`EXISTS (SELECT 1 FROM current_pages WHERE slug = 'terms' AND id = ${version})`;

/** A page in its current version, or in the one asked for. */
export async function requirePage(
  db: Database,
  { slug: name, language: preferred, version }: PageVersionQuery & { slug: PageSlug },
): Promise<PageRow> {
  const page =
    version === undefined
      ? await db.select().from(currentPages).where(eq(slug, name)).orderBy(byPreference(preferred), id).get()
      : await db
          .select()
          .from(pageVersions)
          .where(and(eq(pageVersions.id, version), eq(pageVersions.slug, name)))
          .get();
  if (!page) throw notFound(`The page ${name}`);
  return page;
}

/** The current texts of all pages in all languages, for staff. */
export const listPageTexts = (db: Database): Promise<PageRow[]> =>
  db.select().from(currentPages).orderBy(slug, id).all();

export type PageText = { slug: PageSlug; language: Language };

/** All versions of a page in a language, newest first. */
export const listPageVersions = (db: Database, { slug, language }: PageText): Promise<PageRow[]> =>
  db
    .select()
    .from(pageVersions)
    .where(and(eq(pageVersions.slug, slug), eq(pageVersions.language, language)))
    .orderBy(desc(pageVersions.id))
    .limit(MOST_VERSIONS)
    .all();

/** Number of versions that staff see. Orders name older ones. */
const MOST_VERSIONS = 50;

/** A version by its id, for the audit log. */
export const findPageVersion = (db: Database, id: number): Promise<PageRow | undefined> =>
  db.select().from(pageVersions).where(eq(pageVersions.id, id)).get();
