import type { Answer } from "./call.ts";
import { expectRefusal } from "./refusal.ts";

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value);

/** Every field of a body, by its dotted path, with its kind. */
export function fieldsOf(value: unknown, path = ""): [path: string, kind: string][] {
  const inside = value !== null && typeof value === "object" ? Object.entries(value) : [];
  const deeper = inside.flatMap(([name, field]) => fieldsOf(field, path ? `${path}.${name}` : name));
  return path ? [[path, kindOf(value)], ...deeper] : deeper;
}

/** Returns the body with another value at a dotted path. */
export const withField = (body: unknown, path: string, value: unknown) => put(body, path.split("."), value);

function put(body: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(body)) return body.with(Number(first), put(body[Number(first)], rest, value));
  const fields: Record<string, unknown> = { ...(body as object) };
  return { ...fields, [first]: put(fields[first], rest, value) };
}

/** Maximum number of fields that one error names. */
const MOST = 20;

/**
 * Expects an error to name the field of each value. Sends many values in one body. If an error omits a field because
 * validation stopped early, that value is sent alone.
 */
export async function expectEachRefused(
  send: (body: unknown) => Promise<Answer>,
  body: unknown,
  wrong: [path: string, value: unknown][],
): Promise<void> {
  for (let from = 0; from < wrong.length; from += MOST) {
    const some = wrong.slice(from, from + MOST);
    const together = await send(some.reduce((sofar, [path, value]) => withField(sofar, path, value), body));
    for (const [path, value] of some) {
      const isNamed = together.status === 400 && Object.hasOwn(together.body.errors, path);
      expectRefusal(isNamed ? together : await send(withField(body, path, value)), 400, path);
    }
  }
}

const isContainer = ([, kind]: [path: string, kind: string]) => kind === "object" || kind === "array";

/** Expects each field to be refused by name with every value that is wrong for its kind. */
export async function expectOtherTypesRefused(
  send: (body: unknown) => Promise<Answer>,
  body: unknown,
  fields: [path: string, kind: string][],
  wrong: (path: string, kind: string) => unknown[],
): Promise<void> {
  // Sent alone, because a container with a wrong value has no fields left to test.
  for (const [path, kind] of fields.filter(isContainer)) {
    for (const value of wrong(path, kind)) expectRefusal(await send(withField(body, path, value)), 400, path);
  }
  const byField = fields
    .filter((field) => !isContainer(field))
    .map(([path, kind]) => ({ path, values: wrong(path, kind) }));
  for (let nth = 0; byField.some(({ values }) => nth < values.length); nth++) {
    const some = byField.filter(({ values }) => nth < values.length);
    await expectEachRefused(
      send,
      body,
      some.map(({ path, values }) => [path, values[nth]]),
    );
  }
}
