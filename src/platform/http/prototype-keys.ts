import { badRequest, fieldError } from "../../domain/errors.ts";

const KEY = "__proto__";

/** Refuses a key `__proto__` at any depth. `z.record` drops it silently, and a dropped filter would match everything. */
export function refusePrototypeKeys(sent: unknown): void {
  const left = [{ value: sent, prefix: "" }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, prefix } = next;
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, KEY)) {
      throw badRequest(fieldError(prefix + KEY, "unknown_field", "is not a known field"));
    }
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === "object") left.push({ value: part, prefix: `${prefix}${key}.` });
    }
  }
}

/** Refuses a key `__proto__` in a parsed JSON body. Most texts cannot contain one and are not parsed again. */
export function refusePrototypeKeysInBody(text: string): void {
  if (/__proto__|\\u/.test(text)) refusePrototypeKeys(JSON.parse(text));
}
