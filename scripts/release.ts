import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { incompatibilities } from "./database/compatibility.ts";
import { migrationFiles } from "./database/migrations.ts";
import { changedReleases, checksum, RELEASED, readReleased, releaseOfMigration } from "./database/released.ts";
import { unreleasedNotes, webAddress, withRelease } from "./release/changelog.ts";
import { nextVersion } from "./release/versions.ts";

// `npm run release -- 1.0.0` (or major, minor, patch) commits and tags a release: the version in package.json, the
// entry in CHANGELOG.md, the checksums of its migrations, and the fixture of a shop for upgrade tests. Nothing is
// pushed.

const USAGE = `
  npm run release -- <version|major|minor|patch>
  npm run release -- minor --dry-run               says what it would do`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean", default: false } },
  });
  release(positionals[0] ?? "", values["dry-run"]);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}\n`);
  if (error instanceof TypeError) console.error(USAGE);
  process.exitCode = 1;
}

function release(wanted: string, dryRun: boolean): void {
  const { version: current } = JSON.parse(readFileSync("package.json", "utf8"));
  const version = nextVersion(current, wanted);
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const notes = unreleasedNotes(changelog);
  const problems = [...gitProblems(version), ...(notes === "" ? ["CHANGELOG.md has nothing under Unreleased."] : [])];
  problems.push(...changedReleases(), ...incompatibilities());
  if (problems.length > 0) throw new Error(problems.join("\n"));

  const known = releaseOfMigration();
  const migrations = migrationFiles().filter((path) => !known.has(basename(path)));
  console.log(`${current} becomes ${version}, with ${migrations.length || "no"} new migrations:\n`);
  for (const path of migrations) console.log(`  ${path}`);
  console.log(`\n${notes}\n`);
  if (dryRun) {
    console.log("Nothing was changed.");
    return;
  }

  setVersion("package.json", version);
  setVersion("package-lock.json", version);
  writeFileSync("CHANGELOG.md", withRelease(changelog, version, new Date().toISOString().slice(0, 10), repository()));
  const sums = Object.fromEntries(migrations.map((path) => [basename(path), checksum(path)]));
  writeFileSync(RELEASED, `${JSON.stringify({ ...readReleased(), [version]: sums }, null, 2)}\n`);
  try {
    // The OpenAPI document names the version.
    run("openapi");
    run("fixture");
    git("add", "--all");
    git("commit", "--quiet", "--message", `Release ${version}`);
    git("tag", "--annotate", `v${version}`, "--message", `${version}\n\n${notes}`, "--cleanup", "verbatim");
  } catch {
    throw new Error("The release failed. `git reset --hard && git clean -fd` undoes what it changed.");
  }
  console.log(`\n${version} is committed and tagged. Publish it: git push --follow-tags`);
}

function gitProblems(version: string): string[] {
  const branch = git("branch", "--show-current");
  return [
    ...(branch === "main" ? [] : [`A release is made from main, not from ${branch || "a detached commit"}.`]),
    ...(git("status", "--porcelain") === "" ? [] : ["There are changes that are not committed."]),
    ...(git("tag", "--list", `v${version}`) === "" ? [] : [`The tag v${version} exists.`]),
  ];
}

function setVersion(path: string, version: string): void {
  const content = JSON.parse(readFileSync(path, "utf8"));
  content.version = version;
  if (content.packages) content.packages[""].version = version;
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

function repository(): string | undefined {
  const remotes = git("remote").split("\n");
  return remotes.includes("origin") ? webAddress(git("remote", "get-url", "origin")) : undefined;
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

function run(script: string): void {
  execFileSync(process.execPath, ["--run", script], { stdio: "inherit" });
}
