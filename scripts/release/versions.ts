import { readFileSync } from "node:fs";

const HEADING = /^## \[(\d+\.\d+\.\d+)\]/gm;

/** The released versions in CHANGELOG.md, newest first. */
export const releasedVersions = (changelog = readFileSync("CHANGELOG.md", "utf8")): string[] =>
  [...changelog.matchAll(HEADING)].map(([, version = ""]) => version);

/** Negative if the first version is older, 0 if they are equal, positive if it is newer. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split(".").map(Number));
  const differing = left?.findIndex((part, place) => part !== right?.[place]) ?? -1;
  return differing === -1 ? 0 : (left?.[differing] ?? 0) - (right?.[differing] ?? 0);
}

/** The version that `npm run release -- <wanted>` creates. `wanted` is a version, or the part to increment. */
export function nextVersion(current: string, wanted: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split(".").map(Number);
  const raised = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  };
  const version = raised[wanted as keyof typeof raised] ?? wanted;
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new TypeError(`${wanted} is no version such as 1.2.0, major, minor or patch.`);
  if (compareVersions(version, current) <= 0) throw new Error(`${version} is not newer than ${current}.`);
  return version;
}
