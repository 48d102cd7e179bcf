import type { Guard } from "../guard.ts";
import { code, list } from "./markdown.ts";
import { refusals } from "./refusals.ts";

/** The rules that a trigger raises. */
export const rulesOf = ({ sql }: Guard): string[] => [
  ...new Set([...sql.matchAll(/RAISE\(ABORT, '(\w+)'\)/g)].map(([, rule = ""]) => rule)),
];

/** The error codes of rules. A rule that no request can violate has none. */
export const codesOf = (rules: readonly string[]): string[] => [
  ...new Set(
    rules.flatMap((rule) => {
      const told = refusals[rule] ?? [];
      return typeof told === "string" ? [] : told;
    }),
  ),
];

/** Triggers that refuse requests, and their error codes. */
export const refusingGuards = (guards: readonly Guard[]): string =>
  list(
    guards
      .map((guard): [string, string[]] => [code(`${tableOf(guard)}.${guard.name}`), codesOf(rulesOf(guard)).map(code)])
      .filter(([, codes]) => codes.length > 0)
      .map(([guard, codes]) => [guard, codes.join(", ")]),
  );

const tableOf = ({ sql }: Guard): string => / ON (\w+)/.exec(sql)?.[1] ?? "";
