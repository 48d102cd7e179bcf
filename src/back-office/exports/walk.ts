import type { AccountScope } from "../../platform/db/account-scope.ts";
import type { Database } from "../../platform/db/client.ts";
import type { IdBounds, Which } from "../../platform/db/span.ts";
import type { NextRows } from "./stream.ts";

export type { Which } from "../../platform/db/span.ts";

/** What an export reads from, and for whom. */
export type Reading = { db: Database; scope: AccountScope; currency: string; origin: string };

/** A row as it is answered. */
export type Shown = Record<string, unknown>;

const FROM_BEGINNING_TO_END: IdBounds = { after: 0, last: Number.MAX_SAFE_INTEGER };

/** Reads rows in the order of ids, so that a page costs as much wherever it begins. */
export function inOrderOfIds<Row extends { id: number }>(
  read: (which: Which) => Promise<Row[]>,
  shown: (row: Row) => Shown[],
  afterId = 0,
  ends = () => Promise.resolve(FROM_BEGINNING_TO_END),
): NextRows {
  let between: IdBounds | undefined;
  let isOver = false;
  return async (limit) => {
    if (isOver) return null;
    between ??= await ends();
    const rows = await read({ after: Math.max(between.after, afterId), last: between.last, limit });
    between = { ...between, after: rows.at(-1)?.id ?? between.last };
    isOver = rows.length < limit;
    return rows.flatMap(shown);
  };
}

/** Reads the rows that a search found, of which nothing but their ids is known. */
export function byIds<Row>(
  found: AsyncIterator<number[]>,
  read: (ids: number[]) => Promise<Row[]>,
  shown: (row: Row) => Shown[],
): NextRows {
  let ids: number[] = [];
  let isOver = false;
  return async (limit) => {
    while (ids.length < limit && !isOver) {
      const { done, value } = await found.next();
      if (done) isOver = true;
      else ids = [...ids, ...value];
    }
    if (ids.length === 0) return null;
    const rows = await read(ids.slice(0, limit));
    ids = ids.slice(limit);
    return rows.flatMap(shown);
  };
}

/** Ids are small: many are read at once. */
const IDS = 10_000;

/** All ids of a search, as many at a time. */
export async function* allIds(
  read: (after: number, limit: number) => Promise<number[]>,
  afterId = 0,
): AsyncGenerator<number[]> {
  for (let after: number | undefined = afterId; after !== undefined; ) {
    const ids = await read(after, IDS);
    yield ids;
    after = ids.length < IDS ? undefined : ids.at(-1);
  }
}
