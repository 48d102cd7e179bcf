import { resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { LONG } from "../../../support/long.ts";

// Adds a field called `probe` to a product, in a copy of the source. check:migrations checks that the migration has it
// too, and test/panel/fields.test.ts that the panel's page shows its input.
const places = {
  "the table": {
    path: "src/catalogue/products/tables.ts",
    ahead: '    description: text().notNull().default(""),',
    line: "    probe: integer(),",
  },
  "the declaration of the field": {
    path: "src/catalogue/products/fields.ts",
    ahead: "  metadata: {",
    line: "  probe: { schema: z.int().min(1).nullable(), input: {} },",
  },
  "the shape of the answer": {
    path: "src/catalogue/products/schemas.ts",
    ahead: "    price: Money,",
    line: "    probe: z.int().nullable(),",
  },
  "the answer": { path: "src/catalogue/products/schemas.ts", ahead: "  sku: row.sku,", line: "  probe: row.probe," },
};

const checked = [
  ...new Set([...Object.values(places).map(({ path }) => path), "src/catalogue/products/admin-schemas.ts"]),
];

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile("tsconfig.json", ts.sys.readFile).config,
  ts.sys,
  ".",
);

// One program compiles a copy of the source for each omission. Libraries are checked once, and no module of a copy
// imports one outside it.
const omissions = [null, ...Object.keys(places)];
const folderOf = (omitted: string | null) => resolve(`without-${omissions.indexOf(omitted)}`);
const originalOf = (path: string) => resolve(path).replace(/\/without-\d+(?=\/src(\/|$))/, "");
const edited = new Map(omissions.flatMap((omitted) => [...editedWithout(omitted)]));

/** The edited files, with the field written in all places except the omitted one. */
function editedWithout(omitted: string | null): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, { path, ahead, line }] of Object.entries(places)) {
    if (name === omitted) continue;
    const copy = resolve(folderOf(omitted), path);
    const source = texts.get(copy) ?? ts.sys.readFile(path) ?? "";
    expect(source).toContain(ahead);
    texts.set(copy, source.replace(ahead, `${line}\n${ahead}`));
  }
  return texts;
}

const host = ts.createCompilerHost(options);
host.fileExists = (path) => ts.sys.fileExists(originalOf(path));
host.directoryExists = (path) => ts.sys.directoryExists(originalOf(path));
host.readFile = (path) => edited.get(resolve(path)) ?? ts.sys.readFile(originalOf(path));
host.realpath = (path) => (originalOf(path) === resolve(path) ? (ts.sys.realpath?.(path) ?? path) : path);
const rootNames = [
  ...["src/env.d.ts", "src/worker-configuration.d.ts"],
  ...omissions.flatMap((omitted) => checked.map((path) => resolve(folderOf(omitted), path))),
];
const program = ts.createProgram({ rootNames, options, host });

/** Compiler errors in the copy, by place. */
function errorsWithout(omitted: string | null): string[] {
  const files = checked.map((path) => program.getSourceFile(resolve(folderOf(omitted), path)));
  return files.flatMap((file) => {
    if (!file) throw new Error("A copy is not part of the program");
    return program
      .getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  });
}

test("a product with another field compiles", LONG, () => {
  expect(errorsWithout(null)).toEqual([]);
});

test.each(Object.keys(places))("a field that is forgotten in %s does not compile", (name) => {
  expect(errorsWithout(name).join("\n")).toContain("probe");
});
