import { basename } from "node:path";
import { parseArgs } from "node:util";
import { contractsAfter } from "../database/compatibility.ts";
import { migrationFiles } from "../database/migrations.ts";
import { readDeployment } from "./config.ts";
import {
  appliedMigrations,
  type LiveVersion,
  liveVersions,
  recentVersions,
  servedVersions,
  shareRequests,
  type Version,
  versionOf,
} from "./platform.ts";
import { readVersionTag } from "./version-tag.ts";
import { useEnvironment } from "./wrangler.ts";

/** Runs the command line. Throws a message for the user if nothing was changed. */
export function rollBack(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: { "dry-run": { type: "boolean", default: false }, env: { type: "string" }, to: { type: "string" } },
  });
  useEnvironment(values.env);
  const deployment = readDeployment();
  const live = liveVersions();
  const running = live.at(-1);
  if (!running) throw new Error(`${deployment.worker} was never deployed.`);
  const versions = recentVersions();
  console.log(versions.map((version) => lineOf(version, live)).join("\n"));

  const to = values.to ?? (live.length > 1 ? live[0]?.id : servedVersions().find((id) => id !== running.id));
  if (to === undefined) throw new Error("No earlier version has answered all requests: name one with --to.");
  if (live.length === 1 && to === running.id) throw new Error(`Version ${to} answers all requests already.`);
  const target = versions.find(({ id }) => id === to) ?? versionOf(to);
  refuseOutgrown(target, running, appliedMigrations(deployment) ?? []);

  if (values["dry-run"]) {
    console.log(`\nWould give all requests to version ${to}. Nothing was changed.`);
    return;
  }
  shareRequests({ [to]: 100 }, `Roll back from ${running.id}`);
  console.log(`\nVersion ${to} answers all requests. The database stays as it is.`);
}

function lineOf({ id, createdAt, tag }: Version, live: readonly LiveVersion[]): string {
  const share = live.find((version) => version.id === id)?.percentage;
  const known = readVersionTag(tag);
  const contents = known ? `release ${known.release}, ${known.migrations} migrations` : tag;
  return `${share === undefined ? "    " : `${share}%`.padStart(4)}  ${id}  ${createdAt.slice(0, 16)}  ${contents}`;
}

/** Refuses a version that no longer fits the database or the Durable Objects. */
function refuseOutgrown(target: Version, running: Version, applied: readonly string[]): void {
  if (target.objectsTag !== running.objectsTag) {
    throw new Error(
      `Durable Objects were migrated since version ${target.id} (${target.objectsTag} to ${running.objectsTag}), and the platform ` +
        "runs no earlier version with them. Mend the code and deploy it.",
    );
  }
  const known = readVersionTag(target.tag);
  if (!known) {
    throw new Error(
      `The tag of version ${target.id} does not say which migrations it knows: npm run deploy did not upload it.`,
    );
  }
  const files = migrationFiles().filter((path) => applied.includes(basename(path)));
  const contracts = contractsAfter(applied.slice(0, known.migrations), known.release, files);
  if (contracts.length === 0) return;
  const lines = contracts.map(
    ({ migration, subject, since }) => `  ${subject}, gone with ${migration}; releases since ${since} run without it`,
  );
  throw new Error(
    [
      `The database has outgrown version ${target.id} (release ${known.release}). It uses:`,
      ...lines,
      "Choose a later version with --to, or mend the code and deploy it.",
    ].join("\n"),
  );
}
