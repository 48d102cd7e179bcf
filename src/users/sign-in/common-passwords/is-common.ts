import { LIST } from "./list.ts";

let common: Set<string> | undefined;

/** Whether the password is one of the ten thousand most common, or of a few thousand more, in whatever case. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(LIST.split("\n"));
  return common.has(password.toLowerCase());
}
