import * as z from "zod";
import { iso, Timestamp, wholeNumber } from "../../domain/fields.ts";
import { type failedItems, queueNames, SHOWN_ATTEMPTS } from "../db/schema.ts";
import { pageFields } from "../http/pagination.ts";

export type FailedItemRow = typeof failedItems.$inferSelect;

export const FailedItemsQuery = z.strictObject({
  ...pageFields,
  queue: z.enum(queueNames).optional(),
  min_attempts: wholeNumber(1, 1_000_000)
    .default(SHOWN_ATTEMPTS)
    .meta({ default: SHOWN_ATTEMPTS })
    .describe("Only items that failed at least this often"),
});
export type FailedItemsQuery = z.output<typeof FailedItemsQuery>;

export const FailedItem = z
  .object({
    queue: z.enum(queueNames).describe("Name of the failing work"),
    item: z.string().describe("Id of the order, account, e-mail or other row that the work is done on"),
    attempts: z.int().describe("Number of failed attempts in a row"),
    reason: z.string().describe("Error of the last attempt"),
    first_failed_at: Timestamp,
    last_failed_at: Timestamp,
    next_attempt_at: Timestamp.describe("Earliest time of the next attempt. The delay grows up to an hour"),
  })
  .meta({ id: "FailedItem" });

export const toFailedItem = (row: FailedItemRow): z.output<typeof FailedItem> => ({
  queue: row.queue,
  item: row.item,
  attempts: row.attempts,
  reason: row.reason,
  first_failed_at: iso(row.createdAt),
  last_failed_at: iso(row.failedAt),
  next_attempt_at: iso(row.nextAttemptAt),
});
