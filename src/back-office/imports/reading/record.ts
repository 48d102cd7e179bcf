import * as z from "zod";
import type { JobFailure } from "../../../platform/jobs/kind.ts";

const Picture = z.object({ url: z.string(), alt: z.string() });

/** A row of an import, of whatever format: its fields as the API names them, before they are checked. */
export const ImportRecord = z.object({
  line: z.int(),
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Fields that a new product has where the row does not say them. */
  ifNew: z.record(z.string(), z.unknown()).optional(),
  /** Why no new product can be made of it. */
  onlyUpdates: z.custom<JobFailure>().optional(),
  /** What kept it from being read. */
  failures: z.array(z.custom<JobFailure>()).optional(),
  /** What was lost of it. */
  warnings: z.array(z.custom<JobFailure>()).optional(),
  /** The columns that some of its fields are of, where that is not the same of all rows. */
  columns: z.record(z.string(), z.string()).optional(),
  /** Addresses of pictures that are to be fetched. */
  pictures: z.array(Picture).optional(),
  /** Those that could be fetched, where not all could. */
  partialImages: z.array(Picture).optional(),
});
export type ImportRecord = z.output<typeof ImportRecord>;

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  readonly failure: JobFailure;
  constructor(failure: JobFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
