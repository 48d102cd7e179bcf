import { resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { LONG } from "../../../support/long.ts";

// A product gets a field called `probe`, in a copy of the source. That the migration has it too is what check:migrations says, and that the
// panel's form has an input for it test/panel/fields.test.ts.
const places = {
  "the table": {
    path: "src/platform/db/tables/products.ts",
    ahead: '    description: text().notNull().default(""),',
    line: "    probe: integer(),",
  },
  "the declaration of the field": {
    path: "src/catalogue/products/fields.ts",
    ahead: "  metadata: {",
    line: '  probe: { column: "probe", schema: z.int().min(1).nullable(), initial: null },',
  },
  "the shape of the answer": {
    path: "src/catalogue/products/schemas.ts",
    ahead: "    price: Money,",
    line: "    probe: z.int().nullable(),",
  },
  "the answer": { path: "src/catalogue/products/schemas.ts", ahead: "  sku: row.sku,", line: "  probe: row.probe," },
  "what the panel's form reads": {
    path: "src/panel/products/kinds.ts",
    ahead: "  manage_stock: flag,",
    line: "  probe: orNull(number),",
  },
};

const checked = [
  ...new Set([...Object.values(places).map(({ path }) => path), "src/catalogue/products/admin-schemas.ts"]),
];

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile("tsconfig.json", ts.sys.readFile).config,
  ts.sys,
  ".",
);
const host = ts.createCompilerHost(options);
const sources = new Map<string, ts.SourceFile | undefined>();
const readSource = host.getSourceFile.bind(host);
let program: ts.Program | undefined;

/** What the compiler says of the places, when the field is written in all of them but one. */
function errorsWithout(omitted: string | null): string[] {
  const edited = new Map<string, string>();
  for (const [name, { path, ahead, line }] of Object.entries(places)) {
    if (name === omitted) continue;
    const source = edited.get(resolve(path)) ?? ts.sys.readFile(path) ?? "";
    expect(source).toContain(ahead);
    edited.set(resolve(path), source.replace(ahead, `${line}\n${ahead}`));
  }
  host.getSourceFile = (path, target) => {
    const text = edited.get(resolve(path));
    if (text !== undefined) return ts.createSourceFile(path, text, target);
    if (!sources.has(path)) sources.set(path, readSource(path, target));
    return sources.get(path);
  };
  const rootNames = ["src/env.d.ts", "src/worker-configuration.d.ts", ...checked];
  program = ts.createProgram({ rootNames, options, host, ...(program && { oldProgram: program }) });
  const diagnostics = checked.flatMap((path) => program?.getSemanticDiagnostics(program.getSourceFile(path)) ?? []);
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("a product with another field compiles", LONG, () => {
  expect(errorsWithout(null)).toEqual([]);
});

test.each(Object.keys(places))("a field that is forgotten in %s does not compile", (name) => {
  expect(errorsWithout(name).join("\n")).toContain("probe");
});
