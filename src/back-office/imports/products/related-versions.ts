import { type SQL, sql } from "drizzle-orm";
import type { JobRow } from "../../../platform/jobs/schemas.ts";

// A change of a variant changes the version of its product, and a change of a product the versions of variants that inherit it. If
// a job wrote them too, an undo must still know them as unedited. So the batch marks those that nobody edited since, and writes
// their new versions down at its end.

const versionOf = sql.raw("(SELECT updated_at FROM products WHERE products.id = subject_id)");

/** Marks products and variants that have the version the job gave them. `ids` selects them. */
export const markRelated = (jobId: number, ids: SQL): SQL => sql`
  UPDATE job_changes SET version = -version
  WHERE job_id = ${jobId} AND subject_id IN (${ids}) AND version = ${versionOf}`;

/** Writes down the versions of those marked, and of others that the same batch has written. */
export const followRelated = (jobId: number, written: SQL): SQL => sql`
  UPDATE job_changes SET version = ${versionOf}
  WHERE job_id = ${jobId} AND (version < 0 OR subject_id IN (${written})) AND ${versionOf} IS NOT NULL`;

/** Gives products that came with a moment of their last change that moment again, which their variants have changed. */
export const keepMoments = ({ id, createdAt }: Pick<JobRow, "id" | "createdAt">, written: SQL): SQL => sql`
  UPDATE products SET updated_at = abs(made.version), related_updated_at = abs(made.version)
  FROM job_changes AS made
  WHERE made.job_id = ${id} AND made.subject_id = products.id AND made.before IS NULL AND abs(made.version) < ${createdAt}
    AND (made.version < 0 OR products.id IN (${written}))`;
