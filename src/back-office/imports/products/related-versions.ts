import { type SQL, sql } from "drizzle-orm";
import type { JobRow } from "../../../platform/jobs/schemas.ts";

// A change of a variant changes the version of its product, and a change of a product the versions of variants that
// inherit it. If a job wrote them too, an undo must still recognize them as unedited. So the batch marks the rows that
// nobody edited since, and records their new versions at its end.

const versionOf = sql.raw("(SELECT updated_at FROM products WHERE products.id = subject_id)");

/** Marks products and variants that have the version assigned by the job. `ids` selects them. */
export const markRelated = (jobId: number, ids: SQL): SQL => sql`
  UPDATE job_changes SET version = -version
  WHERE job_id = ${jobId} AND subject_id IN (${ids}) AND version = ${versionOf}`;

/** Records the versions of the marked rows, and of others written by this batch. */
export const followRelated = (jobId: number, written: SQL): SQL => sql`
  UPDATE job_changes SET version = ${versionOf}
  WHERE job_id = ${jobId} AND (version < 0 OR subject_id IN (${written})) AND ${versionOf} IS NOT NULL`;

/** Restores a product's imported time of the last change, which its variants have changed. */
export const keepMoments = ({ id, createdAt }: Pick<JobRow, "id" | "createdAt">, written: SQL): SQL => sql`
  UPDATE products SET updated_at = abs(made.version), related_updated_at = abs(made.version)
  FROM job_changes AS made
  WHERE made.job_id = ${id} AND made.subject_id = products.id AND made.before IS NULL AND abs(made.version) < ${createdAt}
    AND (made.version < 0 OR products.id IN (${written}))`;
