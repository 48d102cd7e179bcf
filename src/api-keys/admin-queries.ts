import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Entry } from "../audit/entry.ts";
import { auditEntry } from "../audit/queries.ts";
import { startOf } from "../auth/api-keys/format.ts";
import { insertApiKey } from "../auth/api-keys/queries.ts";
import type { Author } from "../auth/author.ts";
import { type Database, requireRow, writeThenRead } from "../db/client.ts";
import { jsonRow } from "../db/json.ts";
import { readPage } from "../db/page.ts";
import { nextVersion, unchanged } from "../db/precondition.ts";
import { apiKeys } from "../db/schema.ts";
import { translateViolations, violates } from "../db/violation.ts";
import { limitAndOffset } from "../http/pagination.ts";
import { editedMeanwhile } from "../http/version.ts";
import { writeOnce } from "../idempotency/queries.ts";
import type { ApiKeyRow, ApiKeysQuery, MintedApiKey } from "./admin-schemas.ts";
import type { KeyState } from "./state.ts";

/** A page of keys, newest first, and how many there are, in one round trip. */
export function listApiKeys(db: Database, query: ApiKeysQuery, now: number) {
  const { search, state, tier } = query;
  const where = and(
    search === undefined ? undefined : matching(search),
    state && standing(state, now),
    tier && eq(apiKeys.tier, tier),
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = db.select().from(apiKeys).where(where).orderBy(desc(apiKeys.id)).limit(limit).offset(offset);
  return readPage(db, rows, apiKeys, where);
}

const keyById = (db: Database, id: number) => db.select().from(apiKeys).where(eq(apiKeys.id, id));

export const findApiKeyById = (db: Database, id: number): Promise<ApiKeyRow | undefined> => keyById(db, id).get();

/** A key as the response of a write; its value is stored beside it, encrypted. */
const keyAsAnswer = sql`json_object('row', ${jsonRow(getTableColumns(apiKeys))})`;

/** Stores a new key with its line in the audit log. */
export async function createApiKeyRow(
  db: Database,
  row: typeof apiKeys.$inferInsert,
  key: string,
  author: Author,
  entry: Entry,
): Promise<MintedApiKey> {
  const writes = [
    insertApiKey(db, row).getSQL(),
    auditEntry(author, entry, sql`(SELECT id FROM api_keys WHERE start = ${row.start})`),
  ];
  const answer = sql`(SELECT ${keyAsAnswer} FROM api_keys WHERE start = ${row.start})`;
  return { ...requireRow(await writeOnce<{ row: ApiKeyRow }>(db, author, writes, answer, { key })), key };
}

/** Writes what changed, unless the key was edited since `before` was read. `key` is its new value, if it has one. */
export async function updateApiKey(
  db: Database,
  before: ApiKeyRow,
  columns: Partial<typeof apiKeys.$inferInsert>,
  author: Author,
  entry: Entry,
  key?: string,
): Promise<{ row: ApiKeyRow }> {
  const writes = [
    unchanged("api_keys", before),
    update(db, before, columns, author),
    auditEntry(author, entry, before.id),
  ];
  const answer = sql`(SELECT ${keyAsAnswer} FROM api_keys WHERE id = ${before.id})`;
  const written = writeOnce<{ row: ApiKeyRow }>(db, author, writes, answer, key === undefined ? undefined : { key });
  return requireRow(await translateViolations(written, editedMeanwhile));
}

/** Revokes a key, also when it is edited meanwhile; if two revoke it at once, both succeed. */
export async function markRevoked(db: Database, key: ApiKeyRow, author: Author, entry: Entry): Promise<void> {
  const writes = [update(db, key, { revokedAt: author.now }, author), auditEntry(author, entry, key.id)];
  try {
    await writeThenRead(db, writes, keyById(db, key.id));
  } catch (error) {
    if (!violates(error, "revoked_api_key_is_final")) throw error;
  }
}

const update = (db: Database, before: ApiKeyRow, columns: Partial<typeof apiKeys.$inferInsert>, author: Author) =>
  db
    .update(apiKeys)
    .set({ ...columns, updatedAt: nextVersion(before, author.now) })
    .where(eq(apiKeys.id, before.id))
    .getSQL();

/** By a part of the name, in any case of ASCII, or by the first characters. No pattern: what is typed is just text. */
const matching = (search: string): SQL | undefined =>
  or(sql`instr(lower(${apiKeys.name}), lower(${search})) > 0`, sql`instr(${apiKeys.start}, ${startOf(search)}) = 1`);

function standing(state: KeyState, now: number): SQL | undefined {
  if (state === "revoked") return isNotNull(apiKeys.revokedAt);
  const notExpired = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  return and(isNull(apiKeys.revokedAt), state === "active" ? notExpired : lte(apiKeys.expiresAt, now));
}
