import { and, eq, gte, ne, type SQL, sql } from "drizzle-orm";
import type { Author } from "../../platform/auth/author.ts";
import { type Database, requireFirst } from "../../platform/db/client.ts";
import { json } from "../../platform/db/json.ts";
import { discounts } from "../../platform/db/schema.ts";
import type { DiscountRow } from "./fields.ts";

const discountById = (db: Database, id: number) => db.select().from(discounts).where(eq(discounts.id, id));

/**
 * Enabled, combinable discounts that `author` has created or changed since the last identity proof of their session, except
 * one.
 */
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

/** Refuses the batch if the author has written another combinable discount since `found` was read. */
export const requireNoneSince = (found: readonly DiscountRow[], author: Author, except: number): SQL => sql`
  INSERT INTO preconditions (holds)
  SELECT count(*) = ${found.length} FROM ${discounts} WHERE ${writtenSinceProof(author, except)}`;

/** The ids of a discount as they are sent. */
type SentReferences = { product_ids?: number[] | undefined; category_ids?: number[] | undefined };

type Missing = [index: number, id: number][];

const missingOf = (table: "products" | "categories", ids: readonly number[] = []): SQL<Missing> =>
  json<Missing>(sql`(
    SELECT json_group_array(json_array(key, value)) FROM json_each(${JSON.stringify(ids)})
    WHERE value NOT IN (SELECT id FROM ${sql.identifier(table)})
  )`);

const references = (db: Database, { product_ids, category_ids }: SentReferences) =>
  db
    .select({ products: missingOf("products", product_ids), categories: missingOf("categories", category_ids) })
    .from(sql`(SELECT 1)`);

/** Products and categories that do not exist, by their index in the lists that were sent. */
export type MissingReferences = { products: Missing; categories: Missing };

export const findMissing = async (db: Database, sent: SentReferences): Promise<MissingReferences> =>
  requireFirst(await references(db, sent));

/** Reads a discount and the missing references of a change to it, in one round trip. */
export async function findForChange(db: Database, id: number, sent: SentReferences) {
  const [[row], missing] = await db.batch([discountById(db, id), references(db, sent)]);
  return { row, missing: requireFirst(missing) };
}
