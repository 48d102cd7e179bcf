import { productStatuses, productTypes } from "../../db/schema.ts";

/** What lists are narrowed by and counted by; undefined is all. */
export type Narrowing = {
  status?: (typeof productStatuses)[number] | undefined;
  type?: (typeof productTypes)[number] | undefined;
  in_stock?: boolean | undefined;
};

const KINDS = productStatuses.length * productTypes.length * 2;
const KINDS_OF_STATUS = KINDS / productStatuses.length;

/**
 * The counters of a node in listing_nodes that add up to what is wanted. There is one for each kind of product (see `kind`
 * in the table products), and one for each status, which most lists ask for alone.
 */
export function countersOf({ status, type, in_stock }: Narrowing): number[] {
  const statuses = narrowed(productStatuses, status);
  if (type === undefined && in_stock === undefined) return statuses.map((index) => KINDS + index);
  const types = narrowed(productTypes, type);
  const stocks = in_stock === undefined ? [0, 1] : [Number(in_stock)];
  return statuses.flatMap((s) => types.flatMap((t) => stocks.map((stock) => s * KINDS_OF_STATUS + t * 2 + stock)));
}

const narrowed = <T>(all: readonly T[], one: T | undefined): number[] =>
  one === undefined ? all.map((_, index) => index) : [all.indexOf(one)];
