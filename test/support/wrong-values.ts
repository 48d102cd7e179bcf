import type { Answer } from "./call.ts";
import { expectRefusal } from "./refusal.ts";

/** `body` with another value at a dotted path. */
export const withField = (body: unknown, path: string, value: unknown) => put(body, path.split("."), value);

function put(body: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(body)) return body.with(Number(first), put(body[Number(first)], rest, value));
  const fields: Record<string, unknown> = { ...(body as object) };
  return { ...fields, [first]: put(fields[first], rest, value) };
}

/** Fields that one refusal names. */
const MOST = 20;

/**
 * Every one of these values is refused by the name of its field. One body has as many of them as a refusal names. A value that
 * it does not name all the same, since another one ended the validation, is sent alone.
 */
export async function expectEachRefused(
  send: (body: unknown) => Promise<Answer>,
  body: unknown,
  spoiled: [path: string, value: unknown][],
): Promise<void> {
  for (let from = 0; from < spoiled.length; from += MOST) {
    const some = spoiled.slice(from, from + MOST);
    const together = await send(some.reduce((sofar, [path, value]) => withField(sofar, path, value), body));
    for (const [path, value] of some) {
      const isNamed = together.status === 400 && Object.hasOwn(together.body.errors, path);
      expectRefusal(isNamed ? together : await send(withField(body, path, value)), 400, path);
    }
  }
}

const isContainer = ([, kind]: [path: string, kind: string]) => kind === "object" || kind === "array";

/** Every field is refused by its name with each of the values that are wrong for its kind. */
export async function expectOtherTypesRefused(
  send: (body: unknown) => Promise<Answer>,
  body: unknown,
  fields: [path: string, kind: string][],
  wrong: (path: string, kind: string) => unknown[],
): Promise<void> {
  // What is inside of a container that has become a text cannot be spoiled too.
  for (const [path, kind] of fields.filter(isContainer)) {
    for (const value of wrong(path, kind)) expectRefusal(await send(withField(body, path, value)), 400, path);
  }
  const spoiled = fields
    .filter((field) => !isContainer(field))
    .map(([path, kind]) => ({ path, values: wrong(path, kind) }));
  for (let nth = 0; spoiled.some(({ values }) => nth < values.length); nth++) {
    const some = spoiled.filter(({ values }) => nth < values.length);
    await expectEachRefused(
      send,
      body,
      some.map(({ path, values }) => [path, values[nth]]),
    );
  }
}
