import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { isoOrNull } from "../../domain/fields.ts";
import { fold } from "../../domain/fold.ts";
import { auditedState } from "../../platform/administration/fields.ts";
import type { AuditedTable, Creation } from "../../platform/administration/write-queries.ts";
import { startOf } from "../../platform/auth/api-keys/format.ts";
import { hashSecret } from "../../platform/auth/secrets.ts";
import type { Database } from "../../platform/db/client.ts";
import { comparedName, foldedByName } from "../../platform/db/folded-name.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { readPage } from "../../platform/db/page.ts";
import { apiKeys } from "../../platform/db/schema.ts";
import { limitAndOffset } from "../../platform/http/pagination.ts";
import type { ApiKeyRow, ApiKeysQuery } from "./admin-schemas.ts";
import { type ApiKeyState, apiKeyFields } from "./fields.ts";
import type { KeyState } from "./state.ts";

/** A page of keys, newest first, and how many there are, in one round trip. */
export function listApiKeys(db: Database, query: ApiKeysQuery, now: number) {
  const { search, state, tier } = query;
  const where = and(
    search === undefined ? undefined : matching(search),
    state && inState(state, now),
    tier && eq(apiKeys.tier, tier),
  );
  const { limit, offset } = limitAndOffset(query);
  const rows = db.select().from(apiKeys).where(where).orderBy(desc(apiKeys.id)).limit(limit).offset(offset);
  return readPage(db, rows, apiKeys, where);
}

const keyById = (db: Database, id: number) => db.select().from(apiKeys).where(eq(apiKeys.id, id));

export const findApiKeyById = (db: Database, id: number): Promise<ApiKeyRow | undefined> => keyById(db, id).get();

type AuditedApiKey = ApiKeyState & { revokedAt?: number | null };

export const auditedApiKeys: AuditedTable<ApiKeyRow, AuditedApiKey> = {
  table: apiKeys,
  name: "api_keys",
  subject: "api_key",
  json: jsonRow<ApiKeyRow>(getTableColumns(apiKeys)),
  folded: foldedByName,
  audited: ({ revokedAt, ...state }) => ({
    ...auditedState(apiKeyFields, state),
    ...(revokedAt !== undefined && { revoked_at: isoOrNull(revokedAt) }),
  }),
};

type NewKey = ApiKeyState & { start: string; createdBy: number };

/** A new key: `key` is its value, of which only the hash is stored. */
export const newApiKey = (row: NewKey, key: string): Creation<AuditedApiKey> => ({
  row: { ...row, hash: hashSecret(key) },
  where: sql`start = ${row.start}`,
  state: row,
  details: { start: row.start },
  secret: { key },
});

/** By a part of the name, or by the first characters. No pattern: what is typed is just text. */
const matching = (search: string): SQL | undefined =>
  or(sql`instr(${comparedName}, ${fold(search)}) > 0`, sql`instr(${apiKeys.start}, ${startOf(search)}) = 1`);

function inState(state: KeyState, now: number): SQL | undefined {
  if (state === "revoked") return isNotNull(apiKeys.revokedAt);
  const notExpired = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
  return and(isNull(apiKeys.revokedAt), state === "active" ? notExpired : lte(apiKeys.expiresAt, now));
}
