import * as z from "zod";
import { ApiError, notFound } from "../../domain/errors.ts";
import type { RowFailure, Slice, Work } from "../../platform/jobs/kind.ts";
import { cursorOf } from "../../platform/jobs/run-slice.ts";

const At = z.object({ at: z.int() });

/** Processes the next selected rows one by one. `plan` returns the statements for a row, or throws the reason it fails. */
export async function sliceByRow<Row extends { id: number }>(
  { job, limit }: Work,
  ids: readonly number[],
  read: (ids: number[]) => Promise<Row[]>,
  plan: (row: Row) => Slice["writes"],
): Promise<Slice> {
  const { at } = cursorOf(job, (value) => At.parse(value), { at: 0 });
  const chosen = ids.slice(at, at + limit);
  const rows = new Map((await read(chosen)).map((row) => [row.id, row]));
  const failures: RowFailure[] = [];
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

/** Turns an error into a row's failure, with the message of the affected field if there is one. */
function reasonOf({ code, message, fields: [field] }: ApiError): Omit<RowFailure, "subjectId"> {
  if (code !== "validation_failed" || !field) return { code, message };
  return { field: field.field, code: field.code, message: field.message };
}
