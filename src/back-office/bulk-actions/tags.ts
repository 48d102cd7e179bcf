import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { changedTags, MAX_TAGS } from "../../domain/tags.ts";

/** Parameters of a job that changes the tags of customers. */
export const ChangeCustomers = z.object({
  ids: z.array(z.int()),
  addTags: z.array(z.string()).optional(),
  removeTags: z.array(z.string()).optional(),
});
export type ChangeCustomers = z.output<typeof ChangeCustomers>;

/** The tags of a row after an action adds and removes some. */
export function tagsAfter(tags: string[], { addTags, removeTags }: Omit<ChangeCustomers, "ids">): string[] {
  const after = changedTags(tags, addTags, removeTags);
  if (after.length <= MAX_TAGS) return after;
  throw badRequest(fieldError("add_tags", "too_big", `would be more than ${MAX_TAGS}`, { limit: MAX_TAGS }));
}
