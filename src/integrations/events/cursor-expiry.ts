import { badRequest, fieldError } from "../../domain/errors.ts";

/** Refuses a cursor that lies before the oldest event that is kept: its reader would miss some and not know it. */
export function requireUnexpiredCursor(afterId: number, oldestId: number): void {
  if (afterId === 0 || afterId >= oldestId - 1) return;
  throw badRequest(
    fieldError(
      "after_id",
      "cursor_expired",
      `must be 0, or ${oldestId - 1} at least: the events behind it are kept no longer`,
      {
        oldest_id: oldestId,
      },
    ),
  );
}
