import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { code } from "./markdown.ts";
import { refusals } from "./refusals.ts";

const SHOWN = 3;

/** The tests that name one of these guards or rules, or else the code by which a caller learns of one. */
export type TestIndex = (names: readonly string[]) => string[];

export function indexOfTests(): TestIndex {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort()
    .map((file) => ({ path: join("test", file), words: wordsOf(readFileSync(join("test", file), "utf8")) }));
  const naming = (names: readonly string[]) =>
    files.filter(({ words }) => names.some((name) => words.has(name))).map(({ path }) => code(path));
  return (names) => {
    const own = naming(names);
    const codes = names.flatMap((name) => refusals[name] ?? []).filter((name) => name.includes("_"));
    return (own.length > 0 ? own : naming(codes)).slice(0, SHOWN);
  };
}

const wordsOf = (text: string): Set<string> => new Set(text.match(/\w+/g));
