import type { ImportRecord } from "./record.ts";

/** The record of a row that has other cells than the header. */
export const malformed = (line: number): ImportRecord => ({
  line,
  failures: [
    {
      line,
      code: "invalid_format",
      message: "has other cells than the first line: is a quotation mark missing, or one too many?",
    },
  ],
});
