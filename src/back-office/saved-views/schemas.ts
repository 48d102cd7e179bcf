import * as z from "zod";
import { coded, iso, line, Timestamp } from "../../domain/fields.ts";
import { type savedViews, viewedLists } from "../../platform/db/schema.ts";
import { ListFilters, pageFields } from "../../platform/http/pagination.ts";

export type SavedViewRow = typeof savedViews.$inferSelect;

const List = z.enum(viewedLists);

export const SavedViewsQuery = z.strictObject({ ...pageFields, list: List.optional() });
export type SavedViewsQuery = z.output<typeof SavedViewsQuery>;

export const NewSavedView = z
  .strictObject({
    list: List,
    name: line(60),
    filters: ListFilters.refine((filters) => Object.keys(filters).length > 0, {
      error: "must not be empty",
      ...coded("required"),
    }).describe("Query parameters of the list"),
  })
  .meta({ id: "NewSavedView" });
export type NewSavedView = z.output<typeof NewSavedView>;

export const SavedView = z
  .object({
    id: z.int(),
    list: List,
    name: z.string(),
    filters: z.record(z.string(), z.string()),
    created_at: Timestamp,
  })
  .meta({ id: "SavedView" });

export const toSavedView = ({ id, list, name, filters, createdAt }: SavedViewRow): z.output<typeof SavedView> => ({
  id,
  list,
  name,
  filters,
  created_at: iso(createdAt),
});
