import type { Guard } from "../guard.ts";
import { cell, code, table } from "./markdown.ts";
import { refusals } from "./refusals.ts";

/** The rules that a trigger raises. */
export const rulesOf = ({ sql }: Guard): string[] => [
  ...new Set([...sql.matchAll(/RAISE\(ABORT, '(\w+)'\)/g)].map(([, rule = ""]) => rule)),
];

/** The error codes of rules. A rule that no request can violate has none. */
export const refusalOf = (rules: readonly string[]): string => cell(rules.flatMap((rule) => codesOf(rule)).map(code));

const codesOf = (rule: string): readonly string[] => {
  const told = refusals[rule] ?? [];
  return typeof told === "string" ? [] : told;
};

/** A table of guards for each noun. */
export const guardTables = (guards: readonly Guard[]): string =>
  [...Map.groupBy(guards, ({ noun }) => noun)]
    .map(([noun, own]) => `### ${noun}\n\n${table(HEAD, own.map(row))}`)
    .join("\n\n");

const HEAD = ["Guard", "When", "What the caller is told"];

const row = (guard: Guard): string[] => [code(guard.name), momentOf(guard), refusalOf(rulesOf(guard))];

const things = { view: "a view", table: "a full-text table", rows: "rows" };

function momentOf({ kind, sql }: Guard): string {
  if (kind !== "trigger") return things[kind];
  const [, moment = "", table = ""] =
    /((?:BEFORE|AFTER|INSTEAD OF) (?:INSERT|DELETE|UPDATE))[\w\s,]*? ON (\w+)/.exec(sql) ?? [];
  return `${moment.toLowerCase()}, ${code(table)}`;
}
