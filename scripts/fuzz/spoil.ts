import fc, { type Arbitrary } from "fast-check";
import { hostileValue } from "./hostile.ts";
import { Pick } from "./values.ts";

type Path = (string | number)[];

const isTree = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === "object" && value !== null && !(value instanceof Pick);

/** Every place in a value, starting with the whole. */
function places(value: unknown, path: Path = []): Path[] {
  if (!isTree(value)) return [path];
  const inside = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [path, ...inside.flatMap(([key, item]) => places(item, [...path, key]))];
}

function at(value: unknown, [key, ...rest]: Path, change: (parent: object, key: string | number) => unknown): unknown {
  if (key === undefined || !isTree(value)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length === 0) change(copy, key);
  else Reflect.set(copy, key, at(Reflect.get(value, key), rest, change));
  return copy;
}

/** A valid value with one thing wrong: a missing field, another value, or an unknown field. */
export const spoiled = (good: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(good, fc.nat(), fc.nat(2), hostileValue, fc.string({ maxLength: 12 }))
    .map(([value, where, how, bad, name]) => {
      const all = places(value);
      const path = all[where % all.length] ?? [];
      if (path.length === 0) return how === 0 ? bad : at(value, [name], (parent, key) => Reflect.set(parent, key, bad));
      return at(value, path, (parent, key) => {
        if (how === 0) return Reflect.deleteProperty(parent, key);
        return Reflect.set(parent, how === 1 ? key : `${key}s`, bad);
      });
    });
