import * as z from "zod";
import { customerTagWrites, findCustomers } from "../../accounts/users/public.ts";
import { isSame } from "../../platform/db/statements.ts";
import type { Runner, Slice, Work } from "../../platform/jobs/run-slice.ts";
import { keepRow, sliceByRow, undoByRow } from "./by-row.ts";
import { tagsAfter } from "./changed-values.ts";
import { ChangeCustomers } from "./parameters.ts";

async function slice(work: Work): Promise<Slice> {
  const { db, job } = work;
  const { ids, ...change } = ChangeCustomers.parse(job.parameters);
  return sliceByRow(
    work,
    ids,
    (chosen) => findCustomers(db, chosen),
    (before) => {
      const tags = tagsAfter(before.tags, change);
      if (isSame(tags, before.tags)) return [];
      const kept = { tags: { from: before.tags, to: tags } };
      return [...customerTagWrites(work, { before, tags }), keepRow(work, before, kept)];
    },
  );
}

const RestoredTags = z.object({ tags: z.array(z.string()) });

/** Changes the tags of customers. */
export const changeCustomers: Runner = {
  limit: 25,
  slice,
  undo: (work) =>
    undoByRow(work, {
      read: (ids) => findCustomers(work.db, ids),
      shownIn: ({ tags }) => tags,
      restore: (before, values) => customerTagWrites(work, { before, ...RestoredTags.parse(values) }),
    }),
  refusals: { account_erased: { code: "account_erased", message: "was erased" } },
};
