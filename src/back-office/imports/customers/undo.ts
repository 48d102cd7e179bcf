import * as z from "zod";
import type { Slice, Work } from "../../../platform/jobs/kind.ts";
import { cursorOf, dropChanges } from "../../../platform/jobs/run-slice.ts";
import { deleteCustomers, findChanged, logged } from "./undo-queries.ts";
import { setCustomers, unchangedSince } from "./write-queries.ts";

const After = z.object({ id: z.int() });

const EDITED_SINCE = {
  code: "changed_meanwhile",
  message: "was used or edited after the import and is left unchanged",
};

/** Undoes part of an import: deletes the accounts that it created, and restores earlier values of those it changed. */
export async function undoCustomers({ db, job, author, limit }: Work): Promise<Slice> {
  const from = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const jobId = job.undoOf ?? 0;
  const rows = await findChanged(db, jobId, from.id, limit);
  const undone = rows.filter(({ now, version, before, isUsed }) => now === version && (before !== null || !isUsed));
  const kept = rows.filter((row) => row.now !== null && !undone.includes(row));
  const made = undone.flatMap(({ id, before }) => (before === null ? [id] : []));
  const reverted = undone.flatMap(({ id, before, version }) =>
    before === null ? [] : [{ ...before, id, version: Math.max(author.now, version + 1) }],
  );
  const last = rows.at(-1);
  return {
    writes: [
      unchangedSince(undone),
      dropChanges(
        jobId,
        undone.map(({ id }) => id),
      ),
      ...deleteCustomers(made, author),
      ...(reverted.length === 0
        ? []
        : [
            setCustomers(reverted),
            logged(
              "update",
              reverted.map(({ id }) => id),
              author,
            ),
          ]),
    ],
    cursor: rows.length < limit || !last ? null : { id: last.id },
    done: rows.length - kept.length,
    failed: kept.length,
    failures: kept.map(({ id }) => ({ subjectId: id, ...EDITED_SINCE })),
    ...(last && { row: { subjectId: last.id } }),
  };
}
