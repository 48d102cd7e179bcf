import * as z from "zod";
import type { JobFailure } from "../../../platform/jobs/kind.ts";

const Picture = z.object({ url: z.string(), alt: z.string() });

/** A row of an import in any format: its fields by API name, before validation. */
export const ImportRecord = z.object({
  line: z.int(),
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Fields for new products only, where the row does not set them. */
  ifNew: z.record(z.string(), z.unknown()).optional(),
  /** Why the record cannot create a product. */
  onlyUpdates: z.custom<JobFailure>().optional(),
  /** Reasons the record could not be read. */
  failures: z.array(z.custom<JobFailure>()).optional(),
  /** What the record lost. */
  warnings: z.array(z.custom<JobFailure>()).optional(),
  /** Source columns of fields, where they differ between rows. */
  columns: z.record(z.string(), z.string()).optional(),
  /** Pictures to fetch. */
  pictures: z.array(Picture).optional(),
  /** The pictures that could be fetched, if some failed. */
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
