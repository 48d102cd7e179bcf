import { expect } from "vitest";
import { type ErrorCode, type RefusalCode, refusalCodes } from "../../src/domain/error-codes.ts";
import type { Answer } from "./call.ts";

const sentence = expect.stringMatching(/\S/);

/** The envelope of an error, whatever its status. */
export const anError = {
  status: "error",
  message: sentence,
  code: expect.toSatisfy((code) => code in refusalCodes),
  errors: expect.any(Object),
  details: expect.any(Array),
};

/** The envelope of an error that is not about a field. */
export const aRefusal = (code: RefusalCode, message: unknown = sentence) => ({
  status: "error",
  message,
  code,
  errors: {},
  details: [],
});

/** Validator terms that mean nothing to an integrator. */
const JARGON = /invalid input|expected|received \w|pattern|undefined|\[object/i;

/** Expects an error in the envelope that names the field, in words that people understand, and its code if it is given. */
export function expectRefusal({ status, body }: Answer, expected: number, field?: string, code?: ErrorCode): void {
  expect(body).toEqual(anError);
  expect(status, JSON.stringify(body)).toBe(expected);
  expect([...new Set(body.details.map((detail: { field: string }) => detail.field))]).toEqual(Object.keys(body.errors));
  if (field === undefined) return;
  expect(Object.keys(body.errors)).toContain(field);
  if (code) expect(body.details).toContainEqual(expect.objectContaining({ field, code }));
  expect(body.errors[field]).not.toEqual([]);
  for (const words of body.errors[field]) {
    expect(words).toEqual(sentence);
    expect(words).not.toMatch(JARGON);
  }
}

/** Formats a value for the name of a test: short and in ASCII, because some tools cannot handle half of an emoji. */
export const nameOf = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .slice(0, 40);

/** Detail of a denied download. */
export const denied = (reason: string) => ({ field: "file_id", code: "download_denied", denied_reason: reason });

/** Detail of the error for a key without a required permission. */
export const lacking = (permission: string) => ({ field: "authorization", code: "insufficient_scope", permission });
