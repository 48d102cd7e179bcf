import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { apiHistory } from "../src/platform/http/api-versions.ts";
import { unconverted } from "./openapi/additions.ts";
import { readDocument } from "./openapi/build.ts";
import { incompatibleChanges } from "./openapi/compatibility.ts";
import { unplainTexts } from "./openapi/english.ts";
import { addExamples } from "./openapi/examples/add.ts";
import { misfits } from "./openapi/examples/fit.ts";
import { storedExamples } from "./openapi/examples/stored.ts";
import { lint } from "./openapi/lint.ts";
import { acceptNulls } from "./openapi/nulls.ts";
import { unportable } from "./openapi/portable.ts";
import { toolsFile } from "./openapi/tools.ts";
import { typesOf } from "./openapi/types.ts";
import { fixtureVersions, readReleasedApi } from "./release/fixtures.ts";

// `npm run openapi` writes the OpenAPI document from the routes, and from the document the client's types and the tools
// of /mcp/admin. With --check it reports whether they are up to date.

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const document = await readDocument(".");
// A model leaves out what it does not set.
const tools = toolsFile(document);
acceptNulls(document);
// Examples are for pages, not for editors.
const types = await typesOf(document);
const unmatched = addExamples(document, storedExamples());
const text = `${JSON.stringify(document, null, 1)}\n`;

const stale: string[] = [];
const files = { "public/openapi.json": text, "public/mcp-tools.json": tools, "src/client/schema.ts": types };
for (const [path, content] of Object.entries(files)) {
  if (!options.check) writeFileSync(path, content);
  else if (readFileSync(path, "utf8") !== content) stale.push(path);
}

const broken = fixtureVersions().flatMap((version) => {
  const released = readReleasedApi(version);
  const changes = released ? unconverted(incompatibleChanges(released, document), released, apiHistory) : [];
  return changes.map((change) => `A client of ${version} breaks: ${change}`);
});
const examples = [...unmatched, ...misfits(document)];
const problems = [
  ...(await lint(text)),
  ...unportable(document).map((place) => `${place}: not every validator reads that alike`),
  ...new Set(unplainTexts(document).map((words) => `Begin with the subject, in plain English: ${words}`)),
  ...broken,
  ...(broken.length > 0
    ? ["Convert these for older clients by a new version in src/platform/http/api-versions.ts"]
    : []),
  ...examples,
  ...(examples.length > 0 ? ["Record them anew: npm run openapi:examples, then npm run openapi"] : []),
  ...stale.map((path) => `${path} does not say what the routes do: run npm run openapi`),
];
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
