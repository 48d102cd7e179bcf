import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Openings that leave a comment without a subject. */
const OPENING = /\/\*\*\s+(?:\* )?(Of|What|Whatever|Who|Whom|Whose|Whoever|Whether|Those|That) .*/g;

it("begins each comment on a definition with its subject", () => {
  const files = globSync(["src/**/*.{ts,tsx}", "test/**/*.ts", "scripts/**/*.ts", "examples/*/src/**/*.{ts,tsx}"]);
  const written = files.filter((file) => !file.endsWith(".d.ts") && file !== "src/client/schema.ts");
  const comments = written.map((file) => ({ file, text: readFileSync(file, "utf8") }));
  expect(comments.filter(({ text }) => text.includes("/**")).length).toBeGreaterThan(400);
  expect(comments.flatMap(({ file, text }) => [...text.matchAll(OPENING)].map(([line]) => `${file}: ${line}`))).toEqual(
    [],
  );
});
