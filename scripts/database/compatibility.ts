import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { compareVersions, releasedVersions } from "../release/versions.ts";
import { type Break, breaksBetween, readState } from "./breaks.ts";
import { migrated, migrationFiles } from "./migrations.ts";
import { releaseOfMigration } from "./released.ts";

// A migration is applied while the previous version still runs, and stays applied if that version is restored. So it
// may only add (expand). It may remove something (contract) only if the previous release no longer uses it, which a
// comment declares:
//
//   -- contract: products.old_name, compatible since 1.1.0
//
// A guard with a changed text may accept more or less than before, which no tool can tell. A comment declares that it
// accepts more:
//
//   -- expand: order_moves_are_allowed, only allows more

const CONTRACT = /^-- contract: (.+), compatible since (\d+\.\d+\.\d+)$/gm;
const EXPAND = /^-- expand: ([^,\n]+), .+$/gm;
const STATEMENT_END = /--> statement-breakpoint\n?/;

/** Something that a migration removes, and the first release that runs without it. */
export type Contract = { migration: string; subject: string; since: string };

const contractsOf = (path: string): Contract[] =>
  [...readFileSync(path, "utf8").matchAll(CONTRACT)].map(([, subject = "", since = ""]) => ({
    migration: basename(path),
    subject,
    since,
  }));

/**
 * The contracts of migrations that a version does not know and cannot run with. If there are none, a rollback to the
 * version is possible. `applied` has the file names of the migrations that the version knows. With `release`, contracts
 * that this release is compatible with are left out.
 */
export const contractsAfter = (applied: Iterable<string>, release?: string, files = migrationFiles()): Contract[] => {
  const known = new Set(applied);
  return files
    .filter((path) => !known.has(basename(path)))
    .flatMap(contractsOf)
    .filter(({ since }) => release === undefined || compareVersions(release, since) < 0);
};

/** Errors of migrations since the last release that break its code. None before the first release. */
export function incompatibilities(
  files = migrationFiles(),
  releases = releaseOfMigration(),
  versions?: readonly string[],
): string[] {
  const added = files.filter((path) => !releases.has(basename(path)));
  if (releases.size === 0 || added.length === 0) return [];
  const allowed = new Set(added.flatMap(contractsOf).map(({ subject }) => subject));
  for (const path of added) {
    for (const [, subject = ""] of readFileSync(path, "utf8").matchAll(EXPAND)) allowed.add(subject);
  }
  return [
    ...unknownReleases(added, versions ?? releasedVersions()),
    ...foundBreaks(files, added, allowed).map(complaint),
  ];
}

const unknownReleases = (files: readonly string[], versions: readonly string[]): string[] =>
  files
    .flatMap(contractsOf)
    .filter(({ since }) => !versions.includes(since))
    .map(
      ({ migration, subject, since }) =>
        `migrations/${migration}: ${subject} is said to be unused since ${since}, which CHANGELOG.md does not have as a release.`,
    );

type FoundBreak = Break & { path: string; statement: string };

type Search = {
  /** The breaks that remain after all migrations. */
  breaks: readonly Break[];
  breaksIn: (db: DatabaseSync) => Break[];
  path: string;
  /** The database before the migration. */
  db: DatabaseSync;
};

function foundBreaks(files: readonly string[], added: readonly string[], allowed: ReadonlySet<string>): FoundBreak[] {
  const old = files.filter((path) => !added.includes(path));
  const migrating = migrated(old);
  const before = readState(migrating);
  const breaksIn = (db: DatabaseSync) =>
    breaksBetween(before, readState(db)).filter(({ subject }) => !allowed.has(subject));
  const breaksAfter = added.map((path) => {
    migrating.exec(readFileSync(path, "utf8"));
    return breaksIn(migrating);
  });
  const breaks = breaksAfter.at(-1) ?? [];
  if (breaks.length === 0) return [];
  const found = new Map<string, FoundBreak>();
  for (const [index, path] of added.entries()) {
    // Reading the state after every statement takes seconds, so it is only done in files with a break.
    if (breaksAfter[index]?.length === 0) found.clear();
    else addBreaks(found, { breaks, breaksIn, path, db: migrated([...old, ...added.slice(0, index)]) });
  }
  return [...found.values()];
}

function addBreaks(found: Map<string, FoundBreak>, { breaks, breaksIn, path, db }: Search): void {
  for (const statement of readFileSync(path, "utf8").split(STATEMENT_END)) {
    db.exec(statement);
    const present = new Set(breaksIn(db).map(keyOf));
    for (const one of breaks) {
      const key = keyOf(one);
      // A trigger that is dropped and created again is not removed.
      if (!present.has(key)) found.delete(key);
      else if (!found.has(key)) found.set(key, { ...one, path, statement });
    }
  }
}

const keyOf = ({ subject, problem }: Break): string => `${subject} ${problem}`;

function complaint({ subject, problem, instead, path, statement }: FoundBreak): string {
  const [line = ""] = statement.split("\n").filter((text) => text !== "" && !text.startsWith("--"));
  return [
    `${path}: ${subject} ${problem}.`,
    `  Statement: ${line}`,
    `  Instead: ${instead}`,
    `  If the last release already runs with the change: -- contract: ${subject}, compatible since <version>`,
  ].join("\n");
}
