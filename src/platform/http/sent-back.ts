import type * as z from "zod";
import { type FieldError, fieldError } from "../../domain/errors.ts";

// Clients send back what they read: with null for what is unset, and with fields that requests cannot change. A body that its
// schema refuses is compared with the stored resource and loses what it only repeats, so a field that is ignored has no effect.

type Fields = Record<string, unknown>;

/** The resource that a change is about, as its own GET shows it to the caller. */
export type StoredResource = { envelope: { data: Fields }; etag: string | null };

/** The variable of a context that reads the resource at the request's own path. Null if the caller may not read it. */
export type ReadsStored = { readStored?: () => Promise<StoredResource | null | undefined> };

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const ownValue = (whole: unknown, name: PropertyKey): unknown =>
  Object.hasOwn(Object(whole), name) ? Reflect.get(Object(whole), name) : undefined;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** True if all fields equal those of the stored resource. */
export const isRepeated = (sent: Fields, stored: Fields): boolean =>
  Object.entries(sent).every(([name, value]) => Object.hasOwn(stored, name) && isSameJson(value, stored[name]));

/** True for equal JSON. A missing field counts as null, and times may be written differently, as typed clients do. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one === "string" && typeof other === "string") {
    return one === other || (TIME.test(one) && TIME.test(other) && Date.parse(one) === Date.parse(other));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSameJson(value, other[index]));
  }
  if (isFields(one) && isFields(other)) {
    return Object.keys({ ...one, ...other }).every((name) => isSameJson(ownValue(one, name), ownValue(other, name)));
  }
  return (one ?? null) === (other ?? null);
}

/**
 * Removes from a body, in place, the refused fields that equal those of the stored resource. Returns errors for fields that its
 * schema does not know and that differ. Fields that are valid stay, also beside one that excludes them, since a field that is
 * not sent can have a meaning of its own.
 */
export function dropRepeated(sent: Fields, stored: Fields, issues: readonly z.core.$ZodIssue[]): FieldError[] {
  for (const { code, path } of issues) {
    const [name] = path;
    // A rule about several fields names one of them that may itself be valid.
    if (typeof name !== "string" || code === "custom") continue;
    if (Object.hasOwn(stored, name) && isSameJson(sent[name], stored[name])) delete sent[name];
  }
  return issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? readOnlyErrors(sent, stored, issue) : []));
}

function readOnlyErrors(
  sent: Fields,
  stored: Fields,
  { path, keys }: { path: PropertyKey[]; keys: string[] },
): FieldError[] {
  const [within, read] = counterparts(sent, stored, path);
  if (!isFields(within) || !isFields(read)) return [];
  return keys.flatMap((key) => {
    if (!Object.hasOwn(within, key) || !Object.hasOwn(read, key)) return [];
    const isRepeated = isSameJson(within[key], read[key]);
    delete within[key];
    return isRepeated ? [] : [fieldError([...path, key].join("."), "read_only", DIFFERS)];
  });
}

const DIFFERS = "cannot be changed and differs from the current value. Leave it out, or read the resource again";

/** The part of a body at a path, and the same part of the stored resource. Items of lists are matched by their ids. */
const counterparts = (sent: unknown, stored: unknown, path: PropertyKey[]): [unknown, unknown] =>
  path.reduce<[unknown, unknown]>(
    ([within, read], step) => {
      const part = ownValue(within, step);
      const id = ownValue(part, "id");
      const isItem = Array.isArray(read) && id !== undefined;
      return [part, isItem ? read.find((item) => ownValue(item, "id") === id) : ownValue(read, step)];
    },
    [sent, stored],
  );

/**
 * Removes from a body, in place, each null in an optional field that cannot be null. A null stays, and is refused, where the
 * stored resource has a value: its sender expects the value to go.
 */
export function dropNulls(schema: z.core.$ZodType, sent: unknown, stored: unknown): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ("innerType" in def) dropNulls(def.innerType, sent, stored);
  else if (def.type === "pipe") for (const step of [def.in, def.out]) dropNulls(step, sent, stored);
  else if (def.type === "union") for (const option of def.options) dropNulls(option, sent, stored);
  else if (def.type === "array" && Array.isArray(sent))
    for (const item of sent) dropNulls(def.element, item, undefined);
  else if (def.type === "object" && isFields(sent)) dropNullFields(def.shape, sent, stored);
}

function dropNullFields(shape: z.core.$ZodShape, sent: Fields, stored: unknown): void {
  for (const [name, field] of Object.entries(shape)) {
    const read = ownValue(stored, name);
    if (sent[name] !== null) dropNulls(field, sent[name], read);
    else if ((read ?? null) === null && isOptionalValue(field as z.ZodType)) delete sent[name];
  }
}

const isOptionalValue = (field: z.ZodType): boolean =>
  field.safeParse(undefined).success && !field.safeParse(null).success;
