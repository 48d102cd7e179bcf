import { readFileSync } from "node:fs";

/** The content of a version, as encoded in its tag: the build, the number of migrations it knows, and the release. */
export type VersionTag = { build: string; migrations: number; release: string };

/** Keeps the tag short, in case the platform limits it. */
const BUILD_LENGTH = 12;

export const toVersionTag = ({ build, migrations, release }: VersionTag): string =>
  `${build.slice(0, BUILD_LENGTH)}-${migrations}-${release}`;

/** Returns null if `npm run deploy` did not write the tag. */
export function readVersionTag(tag: string): VersionTag | null {
  const [, build, migrations, release] = /^([0-9a-f]+)-(\d+)-(\d+\.\d+\.\d+.*)$/.exec(tag) ?? [];
  return build && migrations && release ? { build, migrations: Number(migrations), release } : null;
}

export const currentRelease = (): string => JSON.parse(readFileSync("package.json", "utf8")).version;
