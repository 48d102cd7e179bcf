import type { Runner, Slice, Work } from "../../platform/jobs/kind.ts";
import { touchJob } from "../../platform/jobs/run-slice.ts";
import type { Planned } from "./planned.ts";
import { addPlanned, requireImport, saveRecords } from "./queries.ts";
import { convert } from "./reading/convert.ts";
import type { Offset } from "./reading/read-slice.ts";
import { UnreadableFile } from "./reading/record.ts";
import { type PlanRecords, slicesOf } from "./slices.ts";

/** A dry run fetches no pictures. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Reads an upload and plans its rows. Changes nothing but the import's own data. */
export function dryRun<Plan extends Planned>(planRecords: PlanRecords<Plan>): Runner {
  const planSlice = slicesOf(planRecords, (plan, _, importId) => addPlanned(importId, plan), NO_LIMIT);
  return { limit: 1_000, slice: (work) => (work.job.cursor === null ? readUpload(work) : planSlice(work)) };
}

async function readUpload({ env, db, job, author }: Work): Promise<Slice> {
  const upload = await requireImport(db, job.parameters);
  const nothing = { writes: [], cursor: null, done: 0, failed: 0, failures: [] };
  try {
    const { rows, ...read } = await convert({ db, bucket: env.FILES }, upload, () => touchJob(db, job.id, Date.now()));
    const first: Offset = { offset: 0 };
    return {
      ...nothing,
      writes: saveRecords(upload.id, read, author.now),
      cursor: rows > 0 ? first : null,
      total: rows,
    };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { ...nothing, failed: 1, failures: [error.failure], total: 1 };
  }
}
