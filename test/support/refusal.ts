import { expect } from "vitest";
import type { Answer } from "./call.ts";

const sentence = expect.stringMatching(/\S/);

/** The envelope of an error, whatever its status. */
export const anError = { status: "error", message: sentence, errors: expect.any(Object) };

/** Words of the validator that mean nothing to an integrator. */
const JARGON = /invalid input|expected|received|pattern|undefined|\[object/i;

/** A refusal in the envelope that names the field, in words that are meant for people. */
export function expectRefusal({ status, body }: Answer, expected: number, field?: string): void {
  expect(body).toEqual(anError);
  expect(status, JSON.stringify(body)).toBe(expected);
  if (field === undefined) return;
  expect(Object.keys(body.errors)).toContain(field);
  expect(body.errors[field]).not.toEqual([]);
  for (const words of body.errors[field]) {
    expect(words).toEqual(sentence);
    expect(words).not.toMatch(JARGON);
  }
}

/** A value in the name of a test: short and in ASCII, since the name of a test travels and half an emoji does not. */
export const nameOf = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .slice(0, 40);
