import { readFileSync, writeFileSync } from "node:fs";
import { refusingGuards, rulesOf } from "./database/document/guards.ts";
import { refusals } from "./database/document/refusals.ts";
import { constraintRules, constraints, enumerationTable, tablesAndColumns } from "./database/document/tables.ts";
import { guardsOfFiles, readGuards } from "./database/guards.ts";

// `npm run schema` writes docs/database.md from src/platform/db/schema.ts and every guards.sql. With --check it
// reports whether the document is up to date.

const PATH = "docs/database.md";
const guards = readGuards();

const rules = [...guards.flatMap(rulesOf), ...constraintRules()];
const problems = [
  ...rules
    .filter((rule) => !(rule in refusals))
    .map((rule) => `no line says what the caller is told when ${rule} is violated`),
  ...Object.keys(refusals)
    .filter((rule) => !rules.includes(rule))
    .map((rule) => `${rule} has a line that says what the caller is told, and no guard`),
].map((problem) => `scripts/database/document/refusals.ts: ${problem}`);

const text = `# The database

Written by \`npm run schema\` from \`src/platform/db/schema.ts\` and every \`guards.sql\` below \`src\`: do not edit it.
Money is integer minor units. Times are milliseconds since 1970 (UTC).

## Tables

Columns of the primary key are **bold**. Columns with a question mark may be null. An arrow leads to the table that a column refers to.

${tablesAndColumns()}

## Enumerations

The values of columns declared with \`text({ enum })\`. Two triggers of each table, \`<table>_no_unlisted_insert\` and
\`<table>_no_unlisted_update\`, refuse any other value.

${enumerationTable()}

## Constraints

What holds, and the error codes if a request can violate it. A violated constraint refuses the whole batch.

${constraints()}

## Guards

Triggers that refuse requests, with their error codes. The \`guards.sql\` of each feature also has the triggers that write consequences,
views, full-text tables and the rows of a new database.

${refusingGuards(guardsOfFiles())}
`;

if (!process.argv.includes("--check")) writeFileSync(PATH, text);
else if (readFileSync(PATH, "utf8") !== text)
  problems.push(`${PATH} does not say what the database is: run npm run schema`);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
