import { readFileSync, writeFileSync } from "node:fs";
import { guardTables, rulesOf } from "./database/document/guards.ts";
import { refusals } from "./database/document/refusals.ts";
import {
  constraintRules,
  constraints,
  diagram,
  enumerationTable,
  tablesAndColumns,
} from "./database/document/tables.ts";
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

Each line connects a foreign key to the table that it refers to.

${diagram()}

Columns of the primary key are **bold**. Columns with a question mark may be null.

${tablesAndColumns()}

## Enumerations

The values of columns declared with \`text({ enum })\`. Two triggers of each table, \`<table>_no_unlisted_insert\` and
\`<table>_no_unlisted_update\`, refuse any other value as \`value_not_listed\`. \`npm run migration\` writes them from the declarations.

${enumerationTable()}

## Constraints

A violated constraint refuses the whole batch. The codes are those of [errors.md](errors.md). "–" means that no request of the
API violates the constraint.

${constraints()}

## Guards

Triggers, views, full-text tables, and the rows of a new database. Each \`guards.sql\` below \`src\` has a section, and
a comment for each guard that says what it is for.

${guardTables(guardsOfFiles())}
`;

if (!process.argv.includes("--check")) writeFileSync(PATH, text);
else if (readFileSync(PATH, "utf8") !== text)
  problems.push(`${PATH} does not say what the database is: run npm run schema`);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
