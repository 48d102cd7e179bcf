import * as z from "zod";
import type { JobFailure, Slice, Work } from "../../../platform/jobs/kind.ts";
import { cursorOf, dropChanges } from "../../../platform/jobs/run-slice.ts";
import { deleteProducts, findChanged, logReverted, withdrawProducts } from "./undo-queries.ts";
import { adjustStock, replaceFiles, setProducts, unchangedSince } from "./write-queries.ts";

const After = z.object({ id: z.int() });

const Before = z.looseObject({ stockDelta: z.int().nullable(), fileIds: z.array(z.int()) });

const EDITED_SINCE = { code: "changed_meanwhile", message: "was edited after the import and is left unchanged" };
const SOLD = { code: "in_use", message: "was sold, so it became a draft", isWarning: true } as const;

/**
 * Undoes part of an import: deletes the products it created, or makes them drafts if they were sold, and restores those it
 * changed. Later edits are kept.
 */
export async function undoProducts({ db, job, author, limit }: Work): Promise<Slice> {
  const jobId = job.undoOf ?? 0;
  const from = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const rows = await findChanged(db, jobId, from.id, limit);
  const there = rows.filter(({ now, version }) => now === version);
  const edited = rows.filter(({ now, version }) => now !== null && now !== version);
  const made = there.filter(({ before }) => before === null);
  const sold = made.filter(({ isSold }) => isSold);
  const idsOf = (some: typeof rows) => some.map(({ id }) => id);
  const reverted = there.flatMap(({ id, before, version }) =>
    before === null ? [] : [{ ...Before.parse(before), id, version: Math.max(author.now, version + 1) }],
  );
  const adjusted = reverted.flatMap(({ id, stockDelta }) => (stockDelta ? [{ id, stockDelta: -stockDelta }] : []));
  const failures: JobFailure[] = [
    ...edited.map(({ id }) => ({ subjectId: id, ...EDITED_SINCE })),
    ...sold.map(({ id }) => ({ subjectId: id, ...SOLD })),
  ];
  const writes = [
    unchangedSince(there.map(({ id, version }) => ({ id, version }))),
    dropChanges(jobId, idsOf(there)),
    ...deleteProducts(idsOf(made.filter(({ isSold }) => !isSold)), author),
    ...withdrawProducts(idsOf(sold), author),
    ...(reverted.length === 0
      ? []
      : [
          setProducts(reverted),
          ...adjustStock(adjusted, `Import undone, job ${job.id}`, author),
          ...replaceFiles(reverted),
          logReverted(
            reverted.map(({ id }) => id),
            jobId,
            author,
          ),
        ]),
  ];
  const last = rows.at(-1);
  return {
    writes,
    cursor: rows.length < limit || !last ? null : { id: last.id },
    done: rows.length - edited.length,
    failed: edited.length,
    failures,
    ...(last && { row: { subjectId: last.id } }),
  };
}
