import { ApiError, badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import { MOST_ROWS, type Selection } from "./schemas.ts";

/** The ids that were chosen: those that were sent, or all that a list has, of which `read` tells as many as it is asked for. */
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

/** What the database has to say of a filter, such as a category that is not there, under the name that the filter was sent as. */
function refuseFilters(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  throw badRequest(
    error.fields.map((field) => (isPlaced(field) ? field : { ...field, field: `filters.${field.field}` })),
  );
}

const isPlaced = ({ field }: FieldError): boolean => field.startsWith("filters.");
