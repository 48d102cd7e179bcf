import { expect, it } from "vitest";
import * as z from "zod";
import { toFieldErrors } from "../../../../src/platform/http/error-messages.ts";

it.each([
  [z.record(z.string(), z.string()), "x", "must be an object"],
  [z.tuple([z.string()]), "x", "must be an array"],
  [z.null(), 1, "must be null"],
  [z.date(), 1, "must be a date"],
  [z.number().multipleOf(5), 3, "must be a multiple of 5"],
  [z.union([z.string(), z.number()]), true, "is not valid"],
])("describes a wrong value in plain English: %#", (schema, value, message) => {
  const { error } = z.object({ field: schema }).safeParse({ field: value });
  expect(toFieldErrors(error?.issues ?? [], { field: value })).toMatchObject([{ field: "field", message }]);
});

it("names the expected type as JSON does", () => {
  const { error } = z.record(z.string(), z.string()).safeParse([]);
  expect(toFieldErrors(error?.issues ?? [], [])).toMatchObject([{ facts: { expected: "object" } }]);
});
