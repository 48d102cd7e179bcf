import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readDocument } from "./openapi/build.ts";
import { lint } from "./openapi/lint.ts";

// `npm run openapi` writes the OpenAPI document from the routes' own lines; with --check it says whether that was done.

const PATH = "public/openapi.json";

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const document = `${JSON.stringify(await readDocument("."), null, 1)}\n`;
const problems = await lint(document);
if (problems.length > 0) fail(problems.join("\n"));
if (!options.check) writeFileSync(PATH, document);
else if (readFileSync(PATH, "utf8") !== document) fail(`${PATH} does not say what the routes do: run npm run openapi`);

function fail(words: string): never {
  console.error(words);
  process.exit(1);
}
