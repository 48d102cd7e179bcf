import { and, eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { hasNumber, orderReferencePrefix, ordersFound, readsWhole } from "../../checkout/orders/public.ts";
import { line } from "../../domain/fields.ts";
import { fold } from "../../domain/text.ts";
import { startOf } from "../../platform/auth/api-keys/format.ts";
import {
  type ApiKeyCaller,
  accountScopeOf,
  type Caller,
  inScope,
  isAdministrator,
  may,
  type UserCaller,
} from "../../platform/auth/caller.ts";
import { type Database, requireRow } from "../../platform/db/client.ts";
import { beginning, CONSIDERED, noCase, ofWords, productsFound, sellableOf } from "../../platform/db/found-products.ts";
import { json } from "../../platform/db/json.ts";
import { apiKeys, files, orders, products, users } from "../../platform/db/schema.ts";
import { comparedName, hasPrefix } from "../../platform/db/search-words.ts";

export const SearchQuery = z.strictObject({
  q: line(254)
    .optional()
    .describe(
      "Words (the last may be incomplete), an order number, SKU, e-mail address, id, or the first characters of an API key",
    ),
});

const SearchResult = z
  .object({
    id: z.int(),
    label: z.string(),
    detail: z.string().nullable(),
    image: z.string().nullable().describe("Address of the product's first image"),
    exact: z.boolean().describe("True for an exact match, such as a complete order number"),
  })
  .meta({ id: "SearchResult" });

/** Kinds of search results, in order. */
export const searchKinds = ["order", "user", "product", "file", "api_key"] as const;

/** Results of one kind, best match first. */
export const SearchGroup = z
  .object({ kind: z.enum(searchKinds), results: z.array(SearchResult) })
  .meta({ id: "SearchGroup" });
export type SearchGroup = z.output<typeof SearchGroup>;

export const SearchResults = z.array(SearchGroup).describe("The result types that have at least one match");

/** Search results with the deployment's image URLs. */
export const toSearchResults = (groups: SearchGroup[], origin: string): SearchGroup[] =>
  groups.map(({ kind, results }) => ({
    kind,
    results: results.map((result) => ({
      ...result,
      image: result.image === null ? null : new URL(result.image, origin).href,
    })),
  }));

export type Kind = (typeof searchKinds)[number];

const readBy: Record<Kind, (caller: Caller) => boolean> = {
  order: (caller) => may(caller, "shipments:read"),
  user: (caller) => may(caller, "users:read"),
  product: (caller) => may(caller, "products:read_all"),
  file: (caller) => may(caller, "files:read_all"),
  api_key: isAdministrator,
};

/** The kinds whose lists the caller may read. */
export const kindsReadBy = (caller: Caller): Kind[] => searchKinds.filter((kind) => readBy[kind](caller));

/** Maximum results shown per kind. */
const RESULTS_PER_GROUP = 5;

/** Maximum number of sellable products and variants in a result. */
const MOST_SELLABLE = 30;

/** How one kind is found: candidate ids selected from indexes, and the fields to show. */
type Source = {
  table: SQL;
  id: SQL;
  label: SQL;
  detail: SQL;
  image?: SQL;
  among: SQL[];
  /** Matches by values that are unique, or nearly unique. */
  isExact: SQL;
  /** False if people identify it by another number than its id. */
  byId?: false;
  where?: SQL | undefined;
};

/** Reads the query as an id, if it can be one. */
const idOf = (q: string): number | null => (/^#?\d{1,15}$/.test(q) ? Number(q.replace("#", "")) : null);

const sources: Record<Kind, (q: string, caller: UserCaller | ApiKeyCaller) => Source> = {
  order: (q, caller) => ({
    table: sql`${orders}`,
    id: sql`${orders.id}`,
    label: sql`${orders.number}`,
    detail: sql`coalesce(${orders.customerName}, ${readsWhole(caller) ? orders.customerEmail : null}, 'guest') || ', ' || ${orders.status}`,
    among: [ordersFound(q, caller, CONSIDERED)],
    byId: false,
    isExact: sql`(${hasNumber(q)} OR ${orders.reference} = ${orderReferencePrefix(q)})`,
    where: inScope(accountScopeOf(caller), orders.userId),
  }),
  user: (q, caller) => ({
    table: sql`${users}`,
    id: sql`${users.id}`,
    label: sql`${users.name}`,
    detail: sql`${users.email}`,
    among: [
      sql`SELECT ${users.id} FROM ${users} WHERE ${users.email} = ${q.toLowerCase()}`,
      ofWords(sql`users_search`, q),
    ],
    isExact: sql`${users.email} = ${q.toLowerCase()}`,
    where: accountScopeOf(caller) === "customers" ? eq(users.role, "customer") : undefined,
  }),
  product: (q) => ({
    table: sql`${products}`,
    id: sql`${products.id}`,
    label: sql`${products.name}`,
    detail: sql`${products.sku} || ${valuesOf} || ${stockOf} || iif(${products.status} = 'draft', ', draft', '')`,
    image: sql`${products.images} ->> '$[0].url'`,
    among: [productsFound(q)],
    isExact: sql`${noCase(sql`${products.sku}`)} = ${q}`,
  }),
  file: (q) => ({
    table: sql`${files}`,
    id: sql`${files.id}`,
    label: sql`${files.name}`,
    detail: sql`${files.fileName}`,
    among: [ofWords(sql`files_search`, q)],
    isExact: sql`${noCase(sql`${files.fileName}`)} = ${q}`,
  }),
  api_key: (q) => ({
    table: sql`${apiKeys}`,
    id: sql`${apiKeys.id}`,
    label: sql`${apiKeys.name}`,
    detail: sql`${apiKeys.start} || '…' || iif(${apiKeys.revokedAt} IS NULL, '', ', revoked')`,
    among: [beginning(sql`api_keys`, sql`start`, startOf(q)), beginning(sql`api_keys`, comparedName, fold(q))],
    isExact: sql`${apiKeys.start} = ${startOf(q)}`,
  }),
};

/** The option values of a variant: ", M / Blue". */
const valuesOf = sql`ifnull((
  SELECT ', ' || group_concat(value ->> 'value', ' / ') FROM json_each(${products.optionValues})), '')`;

/** The stock of a product: ", 3 in stock" or ", sold out". Empty if it never sells out, or has variants that are in stock. */
const stockOf = sql`CASE
  WHEN NOT ${products.inStock} THEN ', sold out'
  WHEN ${products.manageStock} AND ${products.options} = '[]' THEN ', ' || ${products.stockQuantity} || ' in stock'
  ELSE '' END`;

/** The rows with these ids, in the form of search results. */
const shownOf = ({ table, id, label, detail, image = sql`NULL`, where }: Source, ids: SQL, exact: SQL): SQL => sql`
  SELECT ${id} AS id, ${label} AS label, ${detail} AS detail, ${image} AS image, ${exact} AS exact
  FROM (${ids}) AS found CROSS JOIN ${table} ON ${id} = found.id
  WHERE ${and(sql`TRUE`, where)}`;

const asJson = (rows: SQL): SQL => sql`(
  SELECT json_group_array(json_object('id', id, 'label', label, 'detail', detail, 'image', image,
    'exact', json(iif(exact, 'true', 'false')))) FROM (${rows})
)`;

/** The best results of a kind as JSON: exact matches, then prefix matches, then the newest. Sellable products are in the order of their names. */
function resultsOf(q: string, source: Source, sellable: boolean): SQL {
  const asked = source.byId === false ? null : idOf(q);
  const ids = asked === null ? source.among : [sql`SELECT ${asked} AS id`, ...source.among];
  const exact = asked === null ? source.isExact : sql`(${source.isExact} OR ${source.id} = ${asked})`;
  const among = sql.join(ids, sql` UNION `);
  const shown = shownOf(source, sellable ? sellableOf(among) : among, sql`coalesce(${exact}, FALSE)`);
  const begins = hasPrefix(noCase(sql`label`), q);
  const next = sellable ? sql`label, id LIMIT ${MOST_SELLABLE}` : sql`id DESC LIMIT ${RESULTS_PER_GROUP}`;
  return asJson(sql`SELECT * FROM (${shown}) ORDER BY exact DESC, ${begins} DESC, ${next}`);
}

/** Selects a JSON object with the results of each kind. */
async function selectGroups(db: Database, groups: [kind: Kind, results: SQL][]): Promise<SearchGroup[]> {
  const members = groups.map(([kind, results]) => sql`${kind}, ${results}`);
  const found = json<Record<string, SearchGroup["results"]>>(sql`json_object(${sql.join(members, sql`, `)})`);
  const { results } = requireRow(await db.select({ results: found }).from(sql`(SELECT 1)`).get());
  return groups.map(([kind]) => ({ kind, results: results[kind] ?? [] })).filter((group) => group.results.length > 0);
}

/**
 * Searches each kind in one round trip. Kinds with an exact result come first. With `sellable`, the variants of a product take
 * its place.
 */
export async function search(
  db: Database,
  q: string,
  kinds: Kind[],
  caller: UserCaller | ApiKeyCaller,
  sellable = false,
): Promise<SearchGroup[]> {
  const groups = await selectGroups(
    db,
    kinds.map((kind) => [kind, resultsOf(q, sources[kind](q, caller), sellable && kind === "product")]),
  );
  return groups.toSorted((one, other) => Number(hasExact(other)) - Number(hasExact(one)));
}

/** Reads records by id in the form of search results, in one round trip. */
export const readFound = (
  db: Database,
  wanted: [kind: Kind, ids: readonly number[]][],
  caller: UserCaller | ApiKeyCaller,
): Promise<SearchGroup[]> =>
  selectGroups(
    db,
    wanted.map(([kind, ids]) => {
      const each = sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})`;
      return [kind, asJson(shownOf(sources[kind]("", caller), each, sql`TRUE`))];
    }),
  );

const hasExact = ({ results }: SearchGroup): boolean => results.some(({ exact }) => exact);
