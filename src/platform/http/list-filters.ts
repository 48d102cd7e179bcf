import * as z from "zod";
import { Text } from "../../domain/fields.ts";
import { coded } from "../../domain/rules.ts";

/** Parameters that say where in a list somebody is, rather than what they look for. */
export const placeParameters: readonly string[] = ["page", "per_page", "after_id", "updated_since"];

/** What is looked for in a list, in the query parameters that its address has. */
export const ListFilters = z
  .record(Text.max(40), Text.max(254))
  .refine((filters) => !placeParameters.some((name) => name in filters), {
    error: `takes none of ${placeParameters.join(", ")}`,
    ...coded("not_applicable"),
  });
