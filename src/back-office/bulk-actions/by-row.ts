import * as z from "zod";
import { ApiError, notFound } from "../../domain/errors.ts";
import type { JobFailure, Slice, Work } from "../../platform/jobs/kind.ts";
import { cursorOf } from "../../platform/jobs/run-slice.ts";

const At = z.object({ at: z.int() });

/** Does the next of the chosen rows, each by itself: `plan` gives the statements that do one, or throws why it cannot be done. */
export async function sliceByRow<Row extends { id: number }>(
  { job, limit }: Work,
  ids: readonly number[],
  read: (ids: number[]) => Promise<Row[]>,
  plan: (row: Row) => Slice["writes"],
): Promise<Slice> {
  const { at } = cursorOf(job, (value) => At.parse(value), { at: 0 });
  const chosen = ids.slice(at, at + limit);
  const rows = new Map((await read(chosen)).map((row) => [row.id, row]));
  const failures: JobFailure[] = [];
  const writes = chosen.flatMap((id) => {
    try {
      const row = rows.get(id);
      if (!row) throw notFound("It");
      return plan(row);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failures.push({ subjectId: id, ...reasonOf(error) });
      return [];
    }
  });
  const [first] = chosen;
  return {
    writes,
    cursor: at + limit < ids.length ? { at: at + limit } : null,
    done: chosen.length - failures.length,
    failed: failures.length,
    failures,
    ...(first !== undefined && { row: { subjectId: first } }),
  };
}

/** A refusal as a row's failure: by its own words, or by those of the field that it is about. */
function reasonOf({ code, message, fields: [field] }: ApiError): Omit<JobFailure, "subjectId"> {
  if (code !== "validation_failed" || !field) return { code, message };
  return { field: field.field, code: field.code, message: field.message };
}
