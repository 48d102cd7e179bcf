import { readFileSync, writeFileSync } from "node:fs";
import { guardTables, rulesOf } from "./database/document/guards.ts";
import { refusals } from "./database/document/refusals.ts";
import { checkNames, checks, diagram, enumerationTable, tablesAndColumns } from "./database/document/tables.ts";
import { indexOfTests } from "./database/document/tests.ts";
import { guardsOfFiles, readGuards } from "./database/guards.ts";

// `npm run schema` writes docs/database.md from src/platform/db/schema.ts and src/platform/db/guards; with --check it says whether that was done.

const PATH = "docs/database.md";
const guards = readGuards();
const tests = indexOfTests();

const raised = guards.flatMap(rulesOf);
const problems = [
  ...raised
    .filter((rule) => !(rule in refusals))
    .map((rule) => `${rule} is raised, and no line says what the caller is told`),
  ...Object.keys(refusals)
    .filter((rule) => !raised.includes(rule) && !checkNames.includes(rule))
    .map((rule) => `${rule} has a line that says what the caller is told, and no guard`),
].map((problem) => `scripts/database/document/refusals.ts: ${problem}`);

const text = `# The database

Written by \`npm run schema\` from \`src/platform/db/schema.ts\` and \`src/platform/db/guards\`: do not edit it. Money is integer minor units, a moment is
milliseconds since 1970 (UTC).

## Tables

A line leads from each foreign key to the table that it refers to.

${diagram()}

A column of the primary key is **bold**; one with a question mark may be null.

${tablesAndColumns()}

## Enumerations

What a column may hold that \`text({ enum })\` declares. Two triggers of each table refuse the rest as \`value_not_listed\`,
\`<table>_no_unlisted_insert\` and \`<table>_no_unlisted_update\`: \`npm run migration\` writes them from the declarations.

${enumerationTable()}

## Constraints

What rows must fulfil. A violated one refuses the whole batch. Codes are those of
[errors.md](errors.md); without one, no request of the API leads there.

${checks(tests)}

## Guards

Triggers, views, full-text tables, and the rows that a new database begins with. Each file of \`src/platform/db/guards\` has its section.

${guardTables(guardsOfFiles(), tests)}
`;

if (!process.argv.includes("--check")) writeFileSync(PATH, text);
else if (readFileSync(PATH, "utf8") !== text)
  problems.push(`${PATH} does not say what the database is: run npm run schema`);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
