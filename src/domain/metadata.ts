import * as z from "zod";

/** What an integration notes on a record: short texts by name. A change replaces all of them. */
export const Metadata = z
  .record(z.string().min(1).max(100), z.string().max(1_000))
  .refine((metadata) => Object.keys(metadata).length <= 50, "must have at most 50 entries");
