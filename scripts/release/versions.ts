import { readFileSync } from "node:fs";

const HEADING = /^## \[(\d+\.\d+\.\d+)\]/gm;

/** The versions that CHANGELOG.md names as released, newest first. */
export const releasedVersions = (changelog = readFileSync("CHANGELOG.md", "utf8")): string[] =>
  [...changelog.matchAll(HEADING)].map(([, version = ""]) => version);

/** Negative if the first version is older, 0 if both are one, positive if it is newer. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split(".").map(Number));
  const differing = left?.findIndex((part, place) => part !== right?.[place]) ?? -1;
  return differing === -1 ? 0 : (left?.[differing] ?? 0) - (right?.[differing] ?? 0);
}
