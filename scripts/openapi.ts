import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readDocument } from "./openapi/build.ts";
import { lint } from "./openapi/lint.ts";
import { typesOf } from "./openapi/types.ts";

// `npm run openapi` writes the OpenAPI document from the routes' own lines, and the client's types from the document; with
// --check it says whether that was done.

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const document = `${JSON.stringify(await readDocument("."), null, 1)}\n`;
const problems = await lint(document);
if (problems.length > 0) fail(problems.join("\n"));
const written = { "public/openapi.json": document, "src/client/schema.ts": await typesOf(document) };
for (const [path, text] of Object.entries(written)) {
  if (!options.check) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) fail(`${path} does not say what the routes do: run npm run openapi`);
}

function fail(words: string): never {
  console.error(words);
  process.exit(1);
}
