import { type SQL, sql } from "drizzle-orm";

// Reads of the counted trees in listing_nodes (migrations/0014_listing_rules.sql). D1 counts a row for each step of a scan,
// also of one through a JSON array, so a node is searched by expressions alone: first which eighth of its children, then
// which of those eight. That makes one row for each level of a tree.

const MAX_HEIGHT = 5;
const EIGHTH = 8;

/** The root of a list in one order; `list` is the id of a category, or 0. The functions below read it as `root`. */
export const rootOf = (list: SQL, tree: string): SQL => sql`
  SELECT id, upto FROM listing_nodes WHERE category_id = ${list} AND sort = ${tree} ORDER BY height DESC LIMIT 1`;

/** How many products there are of what `counters` count. */
export const countAll = (counters: number[]): SQL =>
  sql.raw(sum(counters.map((n) => `ifnull(upto ->> '$[${n}][#-1]', 0)`)));

/** How many of them cost less than `price`, in a tree that is ordered by price. */
export function countBelow(counters: number[], price: number): SQL {
  const isBelow = (at: string) => `((children ->> ('$[' || (${at}) || '][0]') < price) IS TRUE)`;
  const start = sql`SELECT ${price} AS price, 0 AS items, id AS node FROM root`;
  // The last child that begins below the price is the one in which it lies; a product that does is below it too.
  const way = descend(
    start,
    ["price", "items"],
    isBelow,
    (found) => sql`
    SELECT price, child AS node, items + ${raw(countBefore(counters, "passed - (child IS NOT NULL)"))} AS items
    FROM (SELECT *, children ->> ('$[' || (passed - 1) || '][2]') AS child FROM (${found}) LIMIT 1) LIMIT 1`,
  );
  return sql`(SELECT items FROM (${way}))`;
}

/** Key and id of the one of them that stands at `place`, counted from 0; no row when that is null. */
export function productAt(counters: number[], place: SQL): SQL {
  const isBefore = (at: string) => `(${at} < json_array_length(children) AND ${countTo(counters, at)} <= place)`;
  const start = sql`SELECT place, NULL AS key, NULL AS id, root.id AS node FROM (SELECT ${place} AS place), root WHERE place IS NOT NULL`;
  const way = descend(
    start,
    ["place", "key", "way.id"],
    isBefore,
    (found) => sql`
    SELECT place - ${raw(countBefore(counters, "passed"))} AS place, children ->> ('$[' || passed || '][2]') AS node,
      ifnull(children ->> ('$[' || passed || '][0]'), key) AS key, ifnull(children ->> ('$[' || passed || '][1]'), id) AS id
    FROM (${found}) LIMIT 1`,
  );
  return sql`SELECT key, id FROM (${way}) LIMIT 1`;
}

/**
 * Goes from the root to a leaf. At each node `passed` is how many of its children pass, where those that do come first, and
 * `step` says from it where to go on. A tree of fewer levels has no node on the last ones: they hand on what was found.
 * The limits keep SQLite from putting a level's expressions into the next, where they would be worked out over and over.
 */
function descend(start: SQL, kept: string[], passes: (at: string) => string, step: (found: SQL) => SQL): SQL {
  const columns = raw([...kept, "children", "upto"].join(", "));
  let way = start;
  for (let height = MAX_HEIGHT; height > 0; height--) {
    way = step(sql`
      SELECT *, ${raw(sum(["eighths * 8", ...first(EIGHTH).map((n) => passes(`eighths * 8 + ${n}`))]))} AS passed FROM (
        SELECT ${columns}, ${raw(sum(first(EIGHTH - 1).map((n) => passes(`${n * EIGHTH + EIGHTH - 1}`))))} AS eighths
        FROM (${way}) AS way LEFT JOIN listing_nodes AS node ON node.id = way.node LIMIT 1
      ) LIMIT 1`);
  }
  return way;
}

/** How many of what is counted there are up to and with the child at `at`. */
const countTo = (counters: number[], at: string): string =>
  sum(counters.map((n) => `ifnull(upto ->> ('$[${n}][' || (${at}) || ']'), 0)`));

const countBefore = (counters: number[], at: string): string =>
  `CASE WHEN ${at} > 0 THEN ${countTo(counters, `${at} - 1`)} ELSE 0 END`;

const first = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

const sum = (terms: string[]): string => `(${terms.join(" + ")})`;

const raw = (text: string): SQL => sql.raw(text);
