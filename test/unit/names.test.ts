import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|type|interface) (\w+)/gm;

it("finds each exported name in one file of src, so that a search for it leads there", () => {
  const filesOf = new Map<string, Set<string>>();
  for (const file of globSync("src/**/*.{ts,tsx}")) {
    if (file.endsWith(".d.ts") || file === "src/client/schema.ts") continue;
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(EXPORTED))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  }
  expect(filesOf.size).toBeGreaterThan(1_000);
  const shared = [...filesOf].filter(([, files]) => files.size > 1);
  expect(shared.map(([name, files]) => `${name}: ${[...files].join(", ")}`)).toEqual([]);
});

/** Participles, and the gerunds of verbs. A type named so says what happened to something and not what it is. */
const PARTICIPLE =
  /^(?:export )?(?:default )?(?:type|interface|(?:abstract )?class) (?!Need\b)([A-Z][a-z]*(?:ed|ing)|Told|Sent|Shown|Left|Held|Kept|Found|Sold|Bought|Paid|Made|Said|Seen|Read|Written|Given|Taken|Chosen|Known|Drawn)\b/gm;

/** Constants whose name tells nothing about what they hold. */
const NAMELESS = /^\s*(?:export )?const (LIST|SHOWN)\b/gm;

it("names types by nouns, and constants by what they hold", () => {
  const files = globSync(["src/**/*.{ts,tsx}", "scripts/**/*.ts", "examples/*/src/**/*.{ts,tsx}"]);
  const named = (name: RegExp) =>
    files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(name)].map(([, found]) => `${file}: ${found}`));
  expect(files.length).toBeGreaterThan(1_000);
  expect(named(PARTICIPLE)).toEqual(["src/panel/forms/inputs.ts: Failed"]);
  expect(named(NAMELESS)).toEqual([]);
});
