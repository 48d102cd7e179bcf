import { and, desc, eq, getTableColumns, gte, ne, or, type SQL, sql } from "drizzle-orm";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { fold } from "../../domain/fold.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json, jsonRow } from "../../platform/db/json.ts";
import { comparedName, foldedByName, hasPrefix } from "../../platform/db/name-search.ts";
import { type PageOf, readPage } from "../../platform/db/page.ts";
import { discounts } from "../../platform/db/schema.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import type { DiscountChange, DiscountsQuery } from "./admin-schemas.ts";
import { type DiscountRow, type DiscountState, discountFields } from "./fields.ts";

/** What state.ts says, as SQL. */
const statusAt = (now: number): SQL => sql`CASE
  WHEN NOT enabled THEN 'disabled'
  WHEN ends_at <= ${now} THEN 'ended'
  WHEN starts_at > ${now} THEN 'scheduled'
  WHEN uses >= max_uses THEN 'used_up'
  ELSE 'active'
END`;

/** A page of discounts, newest first, and how many there are, in one round trip. */
export function listDiscounts(db: Database, query: DiscountsQuery, now: number): Promise<PageOf<DiscountRow>> {
  const { state, kind, search } = query;
  const where = and(
    state && sql`${statusAt(now)} = ${state}`,
    kind && eq(discounts.kind, kind),
    search ? or(hasPrefix(sql`code`, search.toUpperCase()), hasPrefix(comparedName, fold(search))) : undefined,
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = db.select().from(discounts).where(where).orderBy(desc(discounts.id)).limit(limit).offset(offset);
  return readPage(db, rows, discounts, where);
}

const discountById = (db: Database, id: number) => db.select().from(discounts).where(eq(discounts.id, id));

export const findDiscount = (db: Database, id: number): Promise<DiscountRow | undefined> => discountById(db, id).get();

/** Enabled, combinable discounts that `author` has created or changed since the last proof of their session, but for one. */
const writtenSinceProof = ({ actor, session }: Author, except: number): SQL | undefined => {
  const since = session?.authenticatedAt ?? 0;
  return and(
    discounts.enabled,
    discounts.combinable,
    ne(discounts.id, except),
    gte(discounts.updatedAt, since),
    sql`EXISTS (SELECT 1 FROM audit_log
      WHERE subject = 'discount' AND subject_id = ${discounts.id} AND actor = ${actor} AND at >= ${since})`,
  );
};

export const findWrittenSinceProof = (db: Database, author: Author, except: number): Promise<DiscountRow[]> =>
  db.select().from(discounts).where(writtenSinceProof(author, except));

/** Refuses the batch if the author has written another such discount since `found` was read. */
export const requireNoneSince = (found: readonly DiscountRow[], author: Author, except: number): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT count(*) = ${found.length} FROM ${discounts} WHERE ${writtenSinceProof(author, except)}`;

type Missing = [index: number, id: number][];

const missingOf = (table: "products" | "categories", ids: readonly number[] = []): SQL<Missing> =>
  json<Missing>(sql`(
    SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(ids)})
    WHERE value NOT IN (SELECT id FROM ${sql.identifier(table)})
  )`);

const references = (db: Database, { product_ids, category_ids }: DiscountChange) =>
  db
    .select({ products: missingOf("products", product_ids), categories: missingOf("categories", category_ids) })
    .from(sql`(SELECT 1)`);

/** The products and categories that do not exist, by their place in the lists that were sent. */
export type MissingReferences = { products: Missing; categories: Missing };

export const findMissing = async (db: Database, sent: DiscountChange): Promise<MissingReferences> =>
  requireFirst(await references(db, sent));

/** A discount with what a change of it refers to and does not find, in one round trip. */
export async function findForChange(db: Database, id: number, sent: DiscountChange) {
  const [[row], missing] = await db.batch([discountById(db, id), references(db, sent)]);
  return { row, missing: requireFirst(missing) };
}

export const auditedDiscounts: AuditedTable<DiscountRow, DiscountState> = {
  table: discounts,
  name: "discounts",
  subject: "discount",
  json: jsonRow<DiscountRow>(getTableColumns(discounts)),
  folded: foldedByName,
  audited: (state) => auditedState(discountFields, state),
  refusals: {
    ...editedMeanwhile,
    "discounts.code": () => badRequest(fieldError("code", "discount_code_taken", "belongs to another discount")),
  },
};

/** A new discount. Ids only ever grow, so within its batch the newest is the one that was just written. */
export const newDiscount = (row: DiscountState): Creation<DiscountState> => ({
  row,
  state: row,
  where: sql`id = (SELECT max(id) FROM discounts)`,
});
