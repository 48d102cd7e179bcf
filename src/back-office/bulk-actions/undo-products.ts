import { and, asc, eq, gt } from "drizzle-orm";
import * as z from "zod";
import { findAnyProducts, type ProductRow, productWrites } from "../../catalogue/products/public.ts";
import type { Database } from "../../platform/db/client.ts";
import { jobChanges } from "../../platform/db/schema.ts";
import type { JobFailure, Slice, Work } from "../../platform/jobs/kind.ts";
import { cursorOf, dropChanges } from "../../platform/jobs/run-slice.ts";

const After = z.object({ id: z.int() });
const Changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));

const EDITED_SINCE = { code: "changed_meanwhile", message: "was edited since and stays as it is" };

/** Finds what a job changed in rows after an id. */
const findChanges = (db: Database, jobId: number, after: number, limit: number) =>
  db
    .select({ id: jobChanges.subjectId, before: jobChanges.before })
    .from(jobChanges)
    .where(and(eq(jobChanges.jobId, jobId), gt(jobChanges.subjectId, after)))
    .orderBy(asc(jobChanges.subjectId))
    .limit(limit);

/** Restores products' earlier values if they still have those that the job set. */
export async function undoProducts({ db, job, author, limit }: Work): Promise<Slice> {
  const jobId = job.undoOf ?? 0;
  const { id: after } = cursorOf(job, (value) => After.parse(value), { id: 0 });
  const changes = await findChanges(db, jobId, after, limit);
  const found = await findAnyProducts(
    db,
    changes.map(({ id }) => id),
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  const failures: JobFailure[] = [];
  const reverted: number[] = [];
  const writes = changes.flatMap(({ id, before }) => {
    const changed = Changes.parse(before);
    const row = rows.get(id);
    if (row && stillHas(row, changed)) {
      const columns = Object.fromEntries(Object.entries(changed).map(([name, { from }]) => [name, from]));
      reverted.push(id);
      return productWrites({ db, author }, { before: row, columns });
    }
    failures.push({ subjectId: id, ...EDITED_SINCE });
    return [];
  });
  const [first, last] = [changes[0], changes.at(-1)];
  return {
    writes: [...writes, dropChanges(jobId, reverted)],
    cursor: changes.length < limit || !last ? null : { id: last.id },
    done: reverted.length,
    failed: failures.length,
    failures,
    ...(first && { row: { subjectId: first.id } }),
  };
}

const stillHas = (row: ProductRow, changed: z.output<typeof Changes>): boolean =>
  Object.entries(changed).every(([name, { to }]) => Reflect.get(row, name) === to);
