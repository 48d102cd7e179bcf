import { ApiError, badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import { MOST_ROWS, type Selection } from "./schemas.ts";

/** Returns the selected ids: those sent, or all of a list. `read` returns as many ids as requested. */
export async function chosenIds(
  { ids, filters = {} }: Selection,
  read: (filters: Record<string, string>, most: number) => Promise<number[]>,
  most = MOST_ROWS,
): Promise<number[]> {
  if (ids !== undefined) return [...new Set(ids)];
  const found = await read(filters, most + 1).catch(refuseFilters);
  if (found.length === 0) throw badRequest(fieldError("filters", "nothing_to_change", "match nothing"));
  if (found.length <= most) return found;
  const words = `match more than ${most} rows. Narrow the filters and work in parts`;
  throw badRequest(fieldError("filters", "too_big", words, { limit: most }));
}

/** Reports a filter that the database refuses, such as a missing category, under its name in the request. */
function refuseFilters(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  throw badRequest(
    error.fields.map((field) => (isPlaced(field) ? field : { ...field, field: `filters.${field.field}` })),
  );
}

const isPlaced = ({ field }: FieldError): boolean => field.startsWith("filters.");
