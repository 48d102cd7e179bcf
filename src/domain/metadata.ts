import * as z from "zod";
import { Text } from "./fields.ts";

/** What an integration notes on a record: short texts by name. A change replaces all of them. */
export const Metadata = z
  .record(Text.min(1).max(100), Text.max(1_000))
  .refine((metadata) => Object.keys(metadata).length <= 50, "must have at most 50 entries");
